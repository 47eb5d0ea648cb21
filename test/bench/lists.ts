import type { Comparison, Options } from './comparison';
import { measureScenarios, type Scenario, withService } from './scenario';

const FLOWS = 10_000;
const BOUND = 1.1;

/** Flow → Get Many in n8n's engine beside a loop written with axios. */
export async function measureLists({ rounds }: Options): Promise<Comparison[]> {
	const scenario = (pageSize: number, delay: number): Scenario => ({
		title: `${FLOWS} flows, ${pageSize} a page`,
		kind: 'list',
		pageSize,
		delay,
		bound: BOUND,
	});
	const scenarios = [scenario(1000, 0), scenario(100, 0), scenario(1000, 30)];
	return await withService(
		{ flows: FLOWS, steps: 3 },
		async (service) =>
			await measureScenarios(service, scenarios, 'rawAxios', { rounds, warmUpRounds: 3 }),
	);
}
