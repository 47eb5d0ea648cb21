import { type CandidateProcess, startCandidate } from './candidateProcess';
import type { CandidateName, Task } from './candidates';
import type { Comparison, Options } from './comparison';
import { taskOf, withService } from './scenario';

/** Less than n8n's engine needs itself. */
const LEAST_MB = 64;
const PRECISION = 1.05;

async function works(name: CandidateName, task: Task, records: number, heapMb: number) {
	let candidate: CandidateProcess | undefined;
	try {
		candidate = await startCandidate(name, heapMb);
		await candidate.run(task, records);
		return true;
	} catch {
		return false;
	} finally {
		candidate?.end();
	}
}

/**
 * The smallest heap in which a candidate completes its task, found by halving. The maximum memory of a
 * process says less, because it collects garbage only when it has to.
 *
 * @returns MB, at most 5 % too many
 */
async function smallestHeap(name: CandidateName, task: Task, records: number): Promise<number> {
	let [fails, enough] = [LEAST_MB, LEAST_MB * 2];
	while (!(await works(name, task, records, enough))) {
		if (enough >= 4096) throw new Error(`${name} does not work in ${enough} MB`);
		[fails, enough] = [enough, enough * 2];
	}
	while (enough / fails > PRECISION) {
		const middle = Math.round(Math.sqrt(fails * enough));
		if (await works(name, task, records, middle)) enough = middle;
		else fails = middle;
	}
	return enough;
}

/** The heap that a list of large flows needs. */
export async function measureMemory({ quick }: Options): Promise<Comparison[]> {
	const flows = quick ? 3000 : 10_000;
	const steps = 40;
	return await withService({ flows, steps }, async (service) => {
		const task = taskOf(service, { kind: 'list' });
		const heapOf = async (name: CandidateName) => [await smallestHeap(name, task, flows)];
		const other = await heapOf('rawAxios');
		const scenario = `${flows} flows of ${steps} steps`;
		return [
			{ scenario, unit: 'MB', node: await heapOf('node'), other },
			{
				scenario: `${scenario}, Simplify`,
				unit: 'MB',
				node: await heapOf('nodeSimplified'),
				other,
			},
		];
	});
}
