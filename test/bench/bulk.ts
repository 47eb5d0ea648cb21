import type { Comparison, Options } from './comparison';
import { measureScenarios, type Scenario, withService } from './scenario';

/** Without delay; what n8n and the service take is the same for both. */
const BOUND = 1.5;

/**
 * One request for each input item, beside the smallest node that sends it: n8n's engine, which evaluates
 * the expression and sends the request, takes most of the time, and no node can do without it.
 */
export async function measureBulk({ quick, rounds }: Options): Promise<Comparison[]> {
	const usual = quick ? 1000 : 3000;
	// Shows whether the time for an item grows with their number.
	const large = quick ? 5000 : 20_000;
	const data = { flows: 1, foldersPerProject: 100, invitations: usual };
	return await withService(data, async (service) => {
		const { folders, invitations } = service.data;
		const scenario = (kind: 'get' | 'delete', count: number, delay: number): Scenario => {
			const records = kind === 'get' ? folders : invitations;
			return {
				title: `${kind === 'get' ? 'Folder → Get' : 'User Invitation → Delete'}, ${count} items`,
				kind,
				ids: Array.from({ length: count }, (_, index) => records[index % records.length].id),
				delay,
				bound: delay === 0 ? BOUND : undefined,
			};
		};
		const scenarios = [
			...[0, 10, 30].map((delay) => scenario('get', usual, delay)),
			scenario('delete', usual, 0),
			scenario('get', large, 0),
		];
		return await measureScenarios(service, scenarios, 'smallestNode', { rounds, warmUpRounds: 1 });
	});
}
