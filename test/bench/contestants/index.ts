import { rawAxios } from './axios';
import type { Contestant } from './contestant';
import { genericPagination } from './generic';
import {
	httpRequestAtOnce,
	httpRequestBatched,
	httpRequestDefault,
	httpRequestLarge,
} from './httpRequest';
import { theNode, theNodeSimplified } from './node';
import { rawUndici } from './undici';

export const CONTESTANTS = {
	rawAxios,
	rawUndici,
	theNode,
	theNodeSimplified,
	genericPagination,
	httpRequestLarge,
	httpRequestDefault,
	httpRequestAtOnce,
	httpRequestBatched,
} satisfies Record<string, Contestant>;

export type Name = keyof typeof CONTESTANTS;
