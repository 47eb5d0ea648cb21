import type { INodeParameters } from 'n8n-workflow';

import { caseOf, cases, type Case } from '../operations';
import type { ServiceData } from '../service';
import { flowFile } from './harness/flowFile';
import { RETRY_ON_FAIL } from './harness/parameters';
import { endSilences, useService } from './harness/service';

/**
 * What makes something new, and cannot tell whether it was made, is not sent again. Each row is an operation, each
 * column what happens to its request; a cell is how often the request is sent, and what the node says:
 *
 * - `made`: nothing, the record is in the output
 * - `open`: the change may have been made
 * - `unclear`: nothing shows what an earlier try did, with the name that the earlier try wanted
 * - `refused`: what the service says
 */
const COLUMNS = {
	lost: 'the service carries it out, and its response is lost',
	never: 'it does not arrive',
	late: 'the service carries it out after the time-out',
	later: 'the service carries it out after the time-out and a look for it',
	last: 'the service carries it out after the time-out and every look for it',
	taken: 'the service refuses it (409), because somebody else has made it',
	busy: 'the service refuses it (409) once, and nobody has made it',
	other: 'it is lost and cannot be looked for, and then an expression gives something else',
} as const;

type Column = keyof typeof COLUMNS;

const IN_ONE_TRY = `
                         lost      never     late      later     last      taken      busy       other
folder.create            1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
project.create           1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
table.create             1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
table.import             1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
variable.upsert          1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
connection.upsert        1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
globalConnection.upsert  1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
userInvitation.create    1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
flowTemplate.create      1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
flowRun.retry            1 made    1 open    1 made    1 open    1 open    1 made     1 refused  1 open
flow.create              1 open    1 open    1 open    1 open    1 open    1 refused  1 refused  1 open
flow.import              1 open    1 open    1 open    1 open    1 open    1 refused  1 refused  1 open
flow.run                 1 open    1 open    1 open    1 open    1 open    1 refused  1 refused  1 open
tableRecord.create       1 open    1 open    1 open    1 open    1 open    1 refused  1 refused  1 open
tableRecord.upsert       1 open    1 open    1 open    1 open    1 open    1 refused  1 refused  1 open
`;

const WITH_RETRY_ON_FAIL = `
                         lost       never      late       later      last       taken    busy    other
folder.create            1 made     2 made     1 made     1 made     2 made     1 made   2 made  1 unclear
project.create           1 made     2 made     1 made     1 made     2 made     1 made   2 made  1 unclear
table.create             1 made     1 unclear  1 made     1 made     1 unclear  1 made   2 made  1 unclear
table.import             1 made     1 unclear  1 made     1 made     1 unclear  1 made   2 made  1 unclear
variable.upsert          1 made     2 made     1 made     1 made     2 made     1 made   2 made  1 unclear
connection.upsert        1 made     1 unclear  1 made     1 made     1 unclear  1 made   2 made  1 unclear
globalConnection.upsert  1 made     1 unclear  1 made     1 made     1 unclear  1 made   2 made  1 unclear
userInvitation.create    1 made     1 unclear  1 made     1 made     1 unclear  1 made   2 made  1 unclear
flowTemplate.create      1 made     1 unclear  1 made     1 made     1 unclear  1 made   2 made  1 unclear
flowRun.retry            1 made     1 unclear  1 made     1 made     1 unclear  1 made   2 made  1 unclear
flow.create              1 unclear  1 unclear  1 unclear  1 unclear  1 unclear  2 made   2 made  1 unclear
flow.import              1 unclear  1 unclear  1 unclear  1 unclear  1 unclear  2 made   2 made  1 unclear
flow.run                 1 unclear  1 unclear  1 unclear  1 unclear  1 unclear  2 made   2 made  1 unclear
tableRecord.create       1 unclear  1 unclear  1 unclear  1 unclear  1 unclear  2 made   2 made  1 unclear
tableRecord.upsert       1 made     1 unclear  1 made     1 made     1 unclear  1 made   2 made  1 unclear
`;

/** The cells of a table by operation and column. */
function cellsOf(table: string) {
	const [head, ...rows] = table
		.trim()
		.split('\n')
		.map((line) => line.trim().split(/ {2,}/));
	return rows.flatMap(([pair, ...cells]) =>
		cells.map((cell, i) => {
			const column = head[i] as Column;
			return { pair, column, cell, fault: COLUMNS[column] };
		}),
	);
}

const FILE = flowFile('Orders', { type: 'CODE', settings: { input: {} } });
const NAME = '={{ $json.name }}';

describe('what an earlier request may have made', () => {
	const context = useService({ release: '0.86', data: { projects: 1, flows: 3 } });
	endSilences(context);

	/** An operation that makes something new, which the input item names; its first POST makes it. */
	interface Maker {
		named?: INodeParameters;
		/** The list that gets the record */
		list: (data: ServiceData) => unknown[];
		/** The number of requests with which it looks for the record, until it has found none */
		looks?: number;
		/** Whether the message does not name it, because nothing distinguishes it from others */
		isNameless?: true;
		/** Adds a record that the item names by its ID */
		add?: () => { id: string };
	}

	const columns = { mappingMode: 'defineBelow', value: { Customer: NAME }, schema: [] };
	const content = '={{ { ...$json.file, displayName: $json.name } }}';
	const MAKERS: Record<string, Maker> = {
		'connection.upsert': {
			named: { externalId: NAME },
			list: (data) => data.projectConnections,
			looks: 1,
		},
		'flow.create': { named: { displayName: NAME }, list: (data) => data.flows },
		'flow.import': { named: { content }, list: (data) => data.flows },
		'flow.run': {
			list: () => context.service.webhooks.runs,
			add: () => context.live.addFlow({ name: 'Orders', enabled: true }),
		},
		'flowRun.retry': {
			list: (data) => data.flowRuns.filter(({ status }) => status === 'QUEUED'),
			looks: 1,
			add: () => context.live.addFlowRun({ status: 'FAILED' }),
		},
		'flowTemplate.create': {
			named: { displayName: NAME },
			list: (data) => data.templates,
			looks: 1,
		},
		'folder.create': {
			named: { displayName: NAME, ifExists: 'use' },
			list: (data) => data.folders,
			looks: 1,
		},
		'globalConnection.upsert': {
			named: { externalId: NAME },
			list: (data) => data.connections,
			looks: 1,
		},
		'project.create': {
			named: { displayName: NAME, externalId: NAME, ifExists: 'use' },
			list: (data) => data.projects,
			looks: 1,
		},
		'table.create': { named: { tableName: NAME }, list: (data) => data.tables, looks: 1 },
		'table.import': {
			named: { content: '={{ { name: $json.name, externalId: $json.name, fields: [] } }}' },
			list: (data) => data.tables,
			looks: 1,
		},
		'tableRecord.create': {
			named: { columns },
			list: (data) => data.tableRows,
			isNameless: true,
		},
		'tableRecord.upsert': {
			named: { columns: { ...columns, matchingColumns: ['Customer'] } },
			list: (data) => data.tableRows,
		},
		'userInvitation.create': {
			named: { email: `${NAME}@example.test` },
			list: (data) => data.invitations,
			looks: 2,
		},
		'variable.upsert': { named: { variableName: NAME }, list: (data) => data.variables, looks: 1 },
	};
	const parametersFor = (pair: string) => ({
		...caseOf(pair).parameters(context.data, MAKERS[pair].add && NAME),
		...MAKERS[pair].named,
	});

	test('are all operations that make something new', () => {
		const makes = ({ pair }: Case) => /\.(create|upsert|import|run|retry)$/.test(pair);
		const made = cases.filter(makes).map(({ pair }) => pair);
		for (const table of [IN_ONE_TRY, WITH_RETRY_ON_FAIL]) {
			expect([...new Set(cellsOf(table).map(({ pair }) => pair))].sort()).toEqual(made.sort());
		}
	});

	let round = 0;

	/** Runs an operation with a fault for its request. */
	async function runWith(pair: string, column: Column, tries: number) {
		const { list, looks = 0, add } = MAKERS[pair];
		round++;
		const nameFor = (which: string) => add?.().id ?? `${which}${round}`;
		const [name, another] = ['first', 'second'].map(nameFor);
		const given = parametersFor(pair);
		const post = { method: 'POST', times: 1 } as const;
		const item = { name, file: FILE };
		/** The service carries out the request: another run of the node sends it, and does not count. */
		let isCarriedOut = false;
		const carryOut = async () => {
			if (isCarriedOut) return;
			isCarriedOut = true;
			const { length } = context.requests;
			const { error } = await context.run(given, [{ ...item, name }]);
			expect(error).toBeUndefined();
			context.requests.splice(length);
		};
		const carryOutAtLook = (after: number) => () =>
			context.fault({ method: 'GET', after, times: 1, kind: { before: carryOut } });
		const silence = (before: () => void) =>
			context.fault({ ...post, kind: { before, delay: 60_000 } });
		const refuse = (before?: () => Promise<void>) =>
			context.fault({ ...post, kind: { before, status: 409, code: 'ANY' } });
		const lose = () => context.fault({ ...post, done: true, kind: { status: 502 } });

		const FAULTS: Record<Column, () => void> = {
			lost: lose,
			never: () => context.fault({ ...post, kind: { reset: 'beforeHeaders' } }),
			late: () => silence(carryOutAtLook(0)),
			later: () => silence(carryOutAtLook(looks)),
			last() {
				silence(() => {});
				context.fault({ ...post, after: 1, kind: { before: carryOut } });
			},
			taken: () => refuse(carryOut),
			busy: () => refuse(),
			other() {
				lose();
				const before = () => {
					item.name = another;
					context.fault({ method: 'GET', times: looks, kind: { status: 500 } });
				};
				context.fault({ ...post, kind: { before } });
			},
		};
		FAULTS[column]();
		const before = list(context.data).length;
		const settings = tries > 1 ? RETRY_ON_FAIL : undefined;
		const { error, items } = await context.run(given, { items: [item], settings });
		if (error === undefined) expect(JSON.stringify(items)).toContain(name);
		const posts = context.posts();
		const sent = posts.filter(({ path }) => path === posts[0].path).length;
		context.clearFaults();
		if (['late', 'later', 'last'].includes(column)) await carryOut();
		return { sent, error, name, times: list(context.data).length - before };
	}

	/** What a cell says of the error. */
	function wordOf(error: Awaited<ReturnType<typeof runWith>>['error'], name: string): string {
		if (error === undefined) return 'made';
		const { message, description } = error;
		if (/may have applied the change|may be in the project/.test(description!)) return 'open';
		if (/HTTP 409/.test(message)) return 'refused';
		const isTold =
			/^Could not confirm whether .+ (created|stored|invited|imported|retried|ran)$/.test(
				message,
			) && /so the node did not try again\. Check the [^.]+ in Activepieces/.test(description!);
		return isTold && message.includes(name) ? 'unclear' : message;
	}

	describe('of several items', () => {
		const batch = { batchSize: 1, batchInterval: 0 };
		/** With one request for each item, the first of which does not arrive. */
		const runAll = async (pair: string, names: string[]) => {
			context.fault({ method: 'POST', times: 1, kind: { reset: 'beforeHeaders' } });
			const parameters = { ...parametersFor(pair), requestOptions: { batching: { batch } } };
			const { items } = await context.run(parameters, {
				items: names.map((name) => ({ name })),
				settings: RETRY_ON_FAIL,
				onError: 'continueRegularOutput',
			});
			return items.map(({ json }) => json.error ?? json.Customer);
		};
		const unclear = (what: string) =>
			`Could not confirm whether the table record${what} was created`;

		test('one that is in doubt leaves the others as they are', async () => {
			expect(await runAll('tableRecord.create', ['one', 'two'])).toEqual([unclear(''), 'two']);
			expect(context.posts()).toHaveLength(2);
		});

		test('another one for the same record is in doubt as well, in each try', async () => {
			const doubt = unclear(' with Customer "same"');
			const names = ['same', 'same', 'other'];
			expect(await runAll('tableRecord.upsert', names)).toEqual([doubt, doubt, 'other']);
			expect(context.posts()).toHaveLength(2);
		});
	});

	describe.each([
		['in one try', 1, IN_ONE_TRY],
		['with Retry On Fail', RETRY_ON_FAIL.maxTries, WITH_RETRY_ON_FAIL],
	])('%s', (_how, tries, table) => {
		test.each(cellsOf(table))('$pair, $fault: $cell', async ({ pair, column, cell }) => {
			const { sent, error, name, times } = await runWith(pair, column, tries);
			expect(`${sent} ${wordOf(error, MAKERS[pair].isNameless ? '' : name)}`).toBe(cell);
			const isArrived = column !== 'never' && column !== 'busy';
			// Somebody else makes one, and it cannot be recognized.
			const isTwice = column === 'taken' && cell === '2 made';
			expect(times).toBe(isTwice ? 2 : Number(isArrived || error === undefined));
		});
	});
});
