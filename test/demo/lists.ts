import { same, sameRecords } from './check';
import { count, heading, remark, result, table } from './print';
import type { Stage } from './stage';

const SAMPLE = 4;
const shortPiece = (name: unknown) => String(name ?? '–').replace('@activepieces/piece-', '');

/** Every flow of every project, as one list of items. */
export async function allFlows({ service, run }: Stage): Promise<void> {
	heading('Every flow of every project', 'Flow → Get Many, Return All, Simplify');
	const { flows, projects } = service.data;
	const all = await run(
		service,
		{ resource: 'flow', operation: 'getAll', returnAll: true, simplify: true },
		(given) =>
			sameRecords('flows', given, flows, ({ version, status, projectId, folderId }) => ({
				name: version.displayName,
				status,
				projectId,
				folderId,
			})),
	);
	result(`${count(all.items.length)} flows of ${projects.length} projects, each one once`, all);

	const names = new Map<unknown, string>(projects.map(({ id, displayName }) => [id, displayName]));
	const every = Math.floor(all.items.length / SAMPLE);
	table(
		all.items
			.filter((_, index) => index % every === 0)
			.slice(0, SAMPLE)
			.map((flow) => ({
				name: String(flow.name),
				project: names.get(flow.projectId) ?? '–',
				status: String(flow.status),
				trigger: shortPiece(flow.triggerPiece),
				schedule: String(flow.schedule ?? '–'),
				steps: Number(flow.stepCount),
			})),
	);
	remark(`and ${count(all.items.length - SAMPLE)} more`);

	const limit = 250;
	const limited = await run(
		service,
		{ resource: 'flow', operation: 'getAll', limit, options: { pageSize: 100 } },
		(given) => {
			same('Number of flows with a limit', given.length, limit);
			same('Number of different ones', new Set(given.map(({ id }) => id)).size, limit);
		},
	);
	result(`Limit ${limit} gives ${limited.items.length}, also over pages of 100`, limited);
}

/** The connections whose credentials broke or were never completed. */
export async function brokenConnections({ service, run }: Stage): Promise<void> {
	heading(
		'Connections that need attention',
		'Global Connection → Get Many, Status: Error or Missing',
	);
	const wanted = service.data.connections.filter(({ status }) => status !== 'ACTIVE');
	const found = await run(
		service,
		{
			resource: 'globalConnection',
			operation: 'getAll',
			returnAll: true,
			filters: { status: ['ERROR', 'MISSING'] },
		},
		(given) =>
			sameRecords('connections', given, wanted, ({ displayName, status, pieceName }) => ({
				name: displayName,
				status,
				pieceName,
			})),
	);
	const total = service.data.connections.length;
	result(`${found.items.length} of ${total} connections do not work`, found);
	table(
		found.items.slice(0, SAMPLE).map((connection) => ({
			name: String(connection.name),
			piece: shortPiece(connection.pieceName),
			status: String(connection.status),
			projects: (connection.projectIds as string[]).length,
			owner: String(connection.ownerEmail),
		})),
	);
	remark(`and ${count(found.items.length - SAMPLE)} more`);
}
