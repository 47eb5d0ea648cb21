import type { Service } from '../../service';
import { startCandidate, type CandidateProcess } from './candidateProcess';
import type { CandidateName, Task } from './candidates';
import type { Comparison, Options } from './report';
import { prepare, taskOf, withService } from './scenario';

/** Less than n8n's engine needs itself. */
const LEAST_MB = 64;
const PRECISION = 1.05;

async function works(service: Service, name: CandidateName, task: Task, heapMb: number) {
	const { flows, invitations } = service.data;
	let candidate: CandidateProcess | undefined;
	try {
		candidate = await startCandidate(name, heapMb);
		await candidate.run(task, task.ids.length || flows.length);
		return true;
	} catch {
		return false;
	} finally {
		candidate?.end();
		// A delete replaces the list, so this one is still complete.
		service.data.invitations = invitations;
		prepare(service, 0);
	}
}

/**
 * The smallest heap in which a candidate completes its task, found by halving. The maximum memory of a
 * process says less, because it collects garbage only when it has to.
 *
 * @returns MB, at most 5 % too many
 */
async function smallestHeap(service: Service, name: CandidateName, task: Task): Promise<number> {
	let [fails, enough] = [LEAST_MB, LEAST_MB * 2];
	while (!(await works(service, name, task, enough))) {
		if (enough >= 4096) throw new Error(`${name} does not work in ${enough} MB`);
		[fails, enough] = [enough, enough * 2];
	}
	while (enough / fails > PRECISION) {
		const middle = Math.round(Math.sqrt(fails * enough));
		if (await works(service, name, task, middle)) enough = middle;
		else fails = middle;
	}
	return enough;
}

/** The heap that a list of large flows needs, and that of many deletes. */
export async function measureMemory({ quick }: Options): Promise<Comparison[]> {
	const flows = quick ? 3000 : 10_000;
	const invitations = quick ? 5000 : 20_000;
	const steps = 40;
	return await withService({ flows, steps, invitations }, async (service) => {
		const list = taskOf(service, { kind: 'list' });
		const ids = service.data.invitations.map(({ id }) => id);
		const deletes = taskOf(service, { kind: 'delete', ids });
		const heapOf = async (name: CandidateName, task: Task) => [
			await smallestHeap(service, name, task),
		];
		const ofList = await heapOf('rawAxios', list);
		const scenario = `${flows} flows of ${steps} steps`;
		return [
			{ scenario, unit: 'MB', node: await heapOf('node', list), other: ofList },
			{
				scenario: `${scenario}, Simplify`,
				unit: 'MB',
				node: await heapOf('nodeSimplified', list),
				other: ofList,
			},
			{
				scenario: `User Invitation → Delete, ${invitations} items`,
				unit: 'MB',
				node: await heapOf('node', deletes),
				other: await heapOf('rawAxios', deletes),
				bound: 260,
			},
		];
	});
}
