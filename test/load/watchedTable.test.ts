import { byId, ids } from '../engine/harness/byId';
import { useService } from '../engine/harness/service';
import { activeTrigger } from '../engine/harness/trigger';

const ROWS = 10_000;
const MAX_ITEMS = 1_000;

describe('a watched table of 10,000 records', () => {
	const context = useService({
		data: { projects: 1, tablesPerProject: 1, recordsPerTable: ROWS, flows: 1, flowRuns: 0 },
	});
	const watch = async () =>
		await activeTrigger(context, {
			event: 'recordWritten',
			tableId: byId(context.data.tables[0].id),
			options: { maxItems: MAX_ITEMS },
		});
	const rows = () => {
		const { tableRows, tables } = context.data;
		return tableRows.filter(({ tableId }) => tableId === tables[0].id).map(({ id }) => id);
	};
	/** Writes within the minutes in which the state knows each record by its ID. */
	const write = (rowIds: string[]) => {
		context.time.step = 10;
		for (const id of rowIds) context.live.writeCell(id, 'Written');
		return rowIds;
	};

	test('is read with one request if there is no news', async () => {
		const run = await watch();
		context.clearRequests();
		for (let poll = 0; poll < 5; poll++) expect(await run.poll()).toEqual([]);
		expect(context.requests).toHaveLength(5);
		expect(run.errors).toEqual([]);
	});

	test('returns some records of it once, with one request for its columns', async () => {
		const run = await watch();
		const some = write(rows().filter((_id, i) => i % 50 === 0));
		context.clearRequests();
		expect(ids(await run.poll())).toEqual(some);
		expect(context.requests).toHaveLength(2);
		expect(await run.poll()).toEqual([]);
	});

	test('returns all of them once if all are written, also over restarts', async () => {
		const run = await watch();
		const all = write(rows());
		for (let poll = 0; run.given.length < ROWS && poll < 2 * (ROWS / MAX_ITEMS); poll++) {
			if (poll % 4 === 3) await run.restart();
			else await run.poll();
		}
		expect(ids(run.given)).toEqual(all);
		expect(await run.poll()).toEqual([]);
		expect(run.errors).toEqual([]);
		// n8n writes it to its database with each execution.
		expect(run.stored?.length).toBeLessThan(500_000);
	});
});
