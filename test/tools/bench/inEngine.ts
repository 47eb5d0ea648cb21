import type { Service } from '../../service';
import type { Comparison, Options } from './report';
import { measureScenarios, type Scenario } from './scenario';

/** Flow → Get Many in n8n's engine beside a loop written with axios. */
export async function measureLists({ rounds }: Options): Promise<Comparison[]> {
	const flows = 10_000;
	const scenario = (pageSize: number, delay: number, bound: number): Scenario => {
		const title = `${flows} flows, ${pageSize} a page`;
		return { title, kind: 'list', pageSize, delay, bound };
	};
	const scenarios = [scenario(1000, 0, 1.12), scenario(100, 0, 1.05), scenario(1000, 30, 1.12)];
	const often = { rounds, warmUpRounds: 3 };
	return await measureScenarios({ flows, steps: 3 }, () => scenarios, 'rawAxios', often);
}

/**
 * One request for each input item, beside the smallest node that sends it: n8n's engine, which evaluates
 * the expression and sends the request, takes most of the time, and every node needs it.
 */
export async function measureBulk({ quick, rounds }: Options): Promise<Comparison[]> {
	const usual = quick ? 1000 : 3000;
	// Shows whether the time per item grows with the number of items.
	const large = quick ? 5000 : 20_000;
	const scenariosOf = ({ data: { folders, invitations } }: Service) => {
		const scenario = (kind: 'get' | 'delete', count: number, delay = 0): Scenario => {
			const records = kind === 'get' ? folders : invitations;
			const pair = kind === 'get' ? 'Folder → Get' : 'User Invitation → Delete';
			const ids = Array.from({ length: count }, (_, index) => records[index % records.length].id);
			// n8n and the service take the same time for both.
			const most = kind === 'get' ? 1.5 : 1.35;
			const bound = delay === 0 ? most : undefined;
			return { title: `${pair}, ${count} items`, kind, ids, delay, bound };
		};
		return [
			...[0, 10, 30].map((delay) => scenario('get', usual, delay)),
			scenario('get', large),
			scenario('delete', quick ? 2000 : 5000),
			scenario('delete', large),
		];
	};
	const data = { flows: 1, foldersPerProject: 100, invitations: large };
	return await measureScenarios(data, scenariosOf, 'smallestNode', { rounds, warmUpRounds: 1 });
}

/** The rows of a table, out and in, beside a loop of requests written with axios. */
export async function measureTables({ quick, rounds }: Options): Promise<Comparison[]> {
	const records = quick ? 2000 : 10_000;
	const data = { flows: 1, tablesPerProject: 1, recordsPerTable: records };
	const ids = Array.from({ length: records }, (_, index) => String(index));
	const scenariosOf = ({ data }: Service): Scenario[] => {
		const [full, empty] = data.tables.map(({ id }) => id);
		data.tableRows = data.tableRows.filter(({ tableId }) => tableId === full);
		const get = `Table Record → Get Many, ${records} records`;
		const create = `Table Record → Create, ${records} items`;
		return [
			{ title: get, kind: 'rows', tableId: full, records, delay: 0 },
			{ title: create, kind: 'newRows', tableId: empty, ids, records, delay: 0 },
		];
	};
	return await measureScenarios(data, scenariosOf, 'rawAxios', { rounds, warmUpRounds: 1 });
}

/** Flow → Export for each flow, beside Flow → Get of the same flows without Simplify. */
export async function measureExports({ rounds }: Options): Promise<Comparison[]> {
	const scenariosOf = ({ data }: Service): Scenario[] => {
		const ids = data.flows.map(({ id }) => id);
		const title = `Flow → Export, ${ids.length} flows of 10 steps`;
		return [
			// The additional time is that of sorting keys.
			{ title, kind: 'export', ids, delay: 0, bound: 1.1 },
			{ title, kind: 'export', ids, delay: 10 },
		];
	};
	const often = { rounds, warmUpRounds: 2 };
	return await measureScenarios({ flows: 1000, steps: 10 }, scenariosOf, 'nodeReading', often);
}
