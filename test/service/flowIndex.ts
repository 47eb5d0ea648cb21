import type { FlowRunRecord } from './flowRunRecords';
import type { FlowRecord } from './records';

/** Groups the rows of an array by a key, and sorts each group, once per array. */
function grouped<Row>(keyOf: (row: Row) => string, compare: (a: Row, b: Row) => number) {
	const indices = new WeakMap<Row[], Map<string, Row[]>>();
	const none: Row[] = [];
	return (rows: Row[], key: string): Row[] => {
		let index = indices.get(rows);
		if (!index) {
			index = new Map();
			for (const row of rows) {
				const group = index.get(keyOf(row));
				if (group) group.push(row);
				else index.set(keyOf(row), [row]);
			}
			for (const group of index.values()) group.sort(compare);
			indices.set(rows, index);
		}
		return index.get(key) ?? none;
	};
}

/** The greater text first. */
const descending = (a: string, b: string): number => (a === b ? 0 : a > b ? -1 : 1);

/** The flows of a project in the order of the list: status, then `updated`; equal records keep their order. */
export const flowsOfProject = grouped<FlowRecord>(
	({ projectId }) => projectId,
	(a, b) => descending(a.status, b.status) || descending(a.updated, b.updated),
);

const flowsOfFolder = grouped<FlowRecord>(
	({ folderId }) => folderId ?? '',
	() => 0,
);

export const countFlowsOfFolder = (flows: FlowRecord[], folderId: string): number =>
	flowsOfFolder(flows, folderId).length;

/** The runs of a project in the order of the list: newest first, and those of the same time by ID. */
export const runsOfProject = grouped<FlowRunRecord>(
	({ projectId }) => projectId,
	(a, b) => descending(a.created, b.created) || descending(a.id, b.id),
);
