/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a command for people, run in Node, never inside n8n */
import { createEngine } from '../engine/harness/engine';
import { byId } from '../engine/harness/service';
import { rawClient, rawDeletes, rawFlows } from './raw';
import { type Remote, startRemote } from './remote';

const ROUNDS = 5;
const FLOWS = 10_000;
const DELETES = 5_000;
/** How long the service takes for an answer: on the same machine, and at some distance. */
const DELAYS_MS = [0, 10, 30];

const median = (values: number[]) =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function timed(expected: number, work: () => Promise<number>): Promise<number> {
	const start = performance.now();
	const count = await work();
	const ms = performance.now() - start;
	if (count !== expected) throw new Error(`${count} instead of ${expected}`);
	return ms;
}

const credentialOf = ({ baseUrl, apiKey }: Remote) => ({ baseUrl, apiKey });

interface Contest {
	name: string;
	count: number;
	/** Not measured */
	before?: () => Promise<void>;
	raw: () => Promise<number>;
	node: () => Promise<number>;
}

/** Interleaved rounds, so that whatever else the machine does falls on both alike. */
async function compare({ name, count, before = async () => {}, raw, node }: Contest) {
	const times = { raw: [] as number[], node: [] as number[] };
	// The first round warms up and is not counted.
	for (let round = 0; round <= ROUNDS; round++) {
		for (const side of ['raw', 'node'] as const) {
			await before();
			const ms = await timed(count, side === 'raw' ? raw : node);
			if (round > 0) times[side].push(ms);
		}
	}
	const [rawMs, nodeMs] = [median(times.raw), median(times.node)];
	console.log(
		`${name.padEnd(54)} raw ${rawMs.toFixed(0).padStart(6)} ms   node ${nodeMs.toFixed(0).padStart(6)} ms   ratio ${(nodeMs / rawMs).toFixed(2)}`,
	);
}

async function startBulk(delay: number) {
	const remote = await startRemote('--invitations', String(DELETES), '--delay', String(delay));
	const send = rawClient(remote);
	const lists = await Promise.all(
		['PLATFORM', 'PROJECT'].map(
			async (type) => (await send('GET', '/v1/user-invitations', { type, limit: -1 })).data.data,
		),
	);
	return { ...remote, ids: (lists.flat() as Array<{ id: string }>).map(({ id }) => id) };
}

async function main() {
	const engine = await createEngine();

	const lists = await startRemote('--flows', String(FLOWS), '--projects', '1');
	const { data: projects } = await rawClient(lists)('GET', '/v1/projects');
	const projectId = (projects.data[0] as { id: string }).id;
	for (const pageSize of [100, 1000]) {
		await compare({
			name: `list ${FLOWS} flows, page size ${pageSize}`,
			count: FLOWS,
			raw: async () => await rawFlows(lists, projectId, pageSize),
			node: async () => {
				const records = await engine.records({
					credential: credentialOf(lists),
					parameters: {
						resource: 'flow',
						operation: 'getAll',
						projectId: byId(projectId),
						returnAll: true,
						simplify: false,
						options: { pageSize },
					},
				});
				return records.length;
			},
		});
	}
	lists.stop();

	// Fresh invitations for every turn, since each can be deleted once.
	for (const delay of DELAYS_MS) {
		let bulk = await startBulk(delay);
		await compare({
			name: `delete ${DELETES} invitations, ten at a time, ${delay} ms away`,
			count: DELETES,
			before: async () => {
				bulk.stop();
				bulk = await startBulk(delay);
			},
			raw: async () => await rawDeletes(bulk, bulk.ids),
			node: async () => {
				const records = await engine.records({
					credential: credentialOf(bulk),
					items: bulk.ids.map((id) => ({ id })),
					parameters: {
						resource: 'userInvitation',
						operation: 'delete',
						invitationId: byId('={{ $json.id }}'),
					},
				});
				return records.length;
			},
		});
		bulk.stop();
	}
}

void main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
