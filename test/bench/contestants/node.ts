import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../../engine/harness/byId';
import { ACTIVEPIECES } from '../../engine/harness/nodeTypes';
import { BULK } from './bulk';
import { type Contestant, PAGE_SIZE, type Task } from './contestant';
import { createBenchEngine } from './engine';

function parametersOf({ kind, place }: Task, simplify: boolean): INodeParameters {
	if (kind !== 'list') return BULK[kind].parameters;
	return {
		resource: 'flow',
		operation: 'getAll',
		projectId: byId(place.projectId),
		returnAll: true,
		simplify,
		options: { pageSize: PAGE_SIZE },
	};
}

function node(title: string, simplify: boolean): Contestant {
	return {
		title,
		pageSize: PAGE_SIZE,
		async prepare() {
			const run = await createBenchEngine();
			return async (task) => {
				const parameters = {
					...parametersOf(task, simplify),
					requestOptions: { allowUnauthorizedCerts: true },
				};
				return await run([{ type: ACTIVEPIECES, parameters }], task);
			};
		},
	};
}

export const theNode = node('this node', false);
export const theNodeSimplified = node('this node, Simplify on', true);
