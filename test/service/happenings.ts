import type { Service } from './index';

/** How an event of the trigger occurs once. */
export interface Happening {
	/** The fields of the trigger without which it does not watch the event */
	parameters?: (service: Service) => Record<string, unknown>;
	/** Makes it occur, and returns the ID of its record */
	happen: (service: Service) => string;
	/** The events that occur with it */
	also?: string[];
	/** Whether Fetch Test Event may show an older record: flows are listed by status and last change */
	exampleMayBeOlder?: true;
	/** Whether a poll reads its list in parts, however long it is */
	isReadInParts?: true;
}

/** Number of connections that have broken: alternately a global one and one of a project */
let broken = 0;

const ofTable = ({ data }: Service) => ({
	tableId: { __rl: true, mode: 'id', value: data.tables[0].id },
});

/** The row of the first table that nobody has written for longest: two writes of one row between polls are one event. */
function quietRow({ data: { tables, tableRows } }: Service): string {
	const lastWrite = ({ cells }: (typeof tableRows)[number]) =>
		Object.values(cells)
			.map(({ updated }) => updated)
			.sort()
			.at(-1) ?? '';
	const rows = tableRows.filter(({ tableId }) => tableId === tables[0].id);
	return rows.reduce((a, b) => (lastWrite(b) < lastWrite(a) ? b : a)).id;
}

/** Every event of a record. */
export const HAPPENINGS: Record<string, Happening> = {
	flowRunFailed: {
		happen: ({ live }) => live.addFlowRun({ status: 'FAILED' }).id,
		isReadInParts: true,
	},
	flowRunSucceeded: {
		happen: ({ live }) => live.addFlowRun({ status: 'SUCCEEDED' }).id,
		isReadInParts: true,
	},
	flowCreated: { happen: ({ live }) => live.addFlow().id, exampleMayBeOlder: true },
	flowPublished: {
		happen: ({ live }) => live.publishFlow(live.addFlow().id).id,
		also: ['flowCreated', 'flowStatusChanged'],
	},
	flowStatusChanged: {
		happen({ live, data }) {
			const [{ id }] = data.flows.filter(({ status }) => status === 'ENABLED');
			return live.setFlowStatus(id, 'DISABLED').id;
		},
		exampleMayBeOlder: true,
	},
	userInvitationCreated: { happen: ({ live }) => live.addInvitation().id },
	platformEvent: {
		happen: ({ live }) => live.addAuditEvent({ action: 'folder.created' }).id,
		isReadInParts: true,
	},
	userJoined: { happen: ({ live }) => live.addUser().id },
	connectionNeedsAttention: {
		happen({ live, data }) {
			const lists = [data.connections, data.projectConnections];
			if (broken++ % 2 === 1) lists.reverse();
			const [{ id }] = lists.flat().filter(({ status }) => status === 'ACTIVE');
			return live.setConnectionStatus(id, 'ERROR').id;
		},
	},
	recordCreated: {
		parameters: ofTable,
		happen: ({ live }) => live.addRow().id,
		also: ['recordWritten'],
	},
	recordWritten: {
		parameters: ofTable,
		happen: (service) => service.live.writeCell(quietRow(service), 'Written').id,
	},
};
