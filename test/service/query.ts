import { parse } from 'qs';

import type { ReleaseTraits } from './releases';

/**
 * The query parser of a release. One qs is installed here, the releases carried several: older ones
 * limited only `k[i]` indices, newer ones any repeated key.
 */
export function queryParser({ repeatLimit, indexLimit }: ReleaseTraits) {
	return (text: string): Record<string, unknown> => {
		const indices = [...text.matchAll(/(?:\[|%5B)(\d+)(?:\]|%5D)/gi)].map((match) =>
			Number(match[1]),
		);
		const beyond = indices.some((index) => index > indexLimit);
		return parse(text, { arrayLimit: beyond ? indexLimit : (repeatLimit ?? 1_000_000) });
	};
}
