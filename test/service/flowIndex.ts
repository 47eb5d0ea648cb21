import type { FlowRecord } from './records';

interface FlowIndex {
	/** the flows of a project in the order of the list */
	byProject: Map<string, FlowRecord[]>;
	countByFolder: Map<string, number>;
}

const NONE: FlowRecord[] = [];
const indices = new WeakMap<FlowRecord[], FlowIndex>();

/** Status descending, then `updated` descending; equal records keep their order. */
function compareFlows(a: FlowRecord, b: FlowRecord): number {
	if (a.status !== b.status) return a.status > b.status ? -1 : 1;
	if (a.updated === b.updated) return 0;
	return a.updated > b.updated ? -1 : 1;
}

function indexOf(flows: FlowRecord[]): FlowIndex {
	let index = indices.get(flows);
	if (!index) {
		index = { byProject: new Map(), countByFolder: new Map() };
		for (const flow of flows) {
			const list = index.byProject.get(flow.projectId);
			if (list) list.push(flow);
			else index.byProject.set(flow.projectId, [flow]);
			const { folderId } = flow;
			if (folderId !== null) {
				index.countByFolder.set(folderId, (index.countByFolder.get(folderId) ?? 0) + 1);
			}
		}
		for (const list of index.byProject.values()) list.sort(compareFlows);
		indices.set(flows, index);
	}
	return index;
}

/** The flows of a project in the order of the list, sorted once per array of flows. */
export function flowsOfProject(flows: FlowRecord[], projectId: string): FlowRecord[] {
	return indexOf(flows).byProject.get(projectId) ?? NONE;
}

export function countFlowsOfFolder(flows: FlowRecord[], folderId: string): number {
	return indexOf(flows).countByFolder.get(folderId) ?? 0;
}
