import type { FlowRunRecord } from './flowRunRecords';

const NONE: FlowRunRecord[] = [];
const indices = new WeakMap<FlowRunRecord[], Map<string, FlowRunRecord[]>>();

/** Newest first; runs of the same time by id, the greater one first. */
function compareRuns(a: FlowRunRecord, b: FlowRunRecord): number {
	if (a.created !== b.created) return a.created > b.created ? -1 : 1;
	if (a.id === b.id) return 0;
	return a.id > b.id ? -1 : 1;
}

/** The runs of a project in the order of the list, sorted once per array of runs. */
export function runsOfProject(runs: FlowRunRecord[], projectId: string): FlowRunRecord[] {
	let index = indices.get(runs);
	if (!index) {
		index = new Map();
		for (const run of runs) {
			const list = index.get(run.projectId);
			if (list) list.push(run);
			else index.set(run.projectId, [run]);
		}
		for (const list of index.values()) list.sort(compareRuns);
		indices.set(runs, index);
	}
	return index.get(projectId) ?? NONE;
}
