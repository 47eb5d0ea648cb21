import type { Comparison, Options } from './comparison';
import { measureScenarios, type Scenario, withService } from './scenario';

const FLOWS = 1000;
/** Without delay; the rest is what it takes to put keys in order. */
const BOUND = 1.1;

/** Flow → Export for each flow, beside Flow → Get of the same flows without Simplify. */
export async function measureExports({ rounds }: Options): Promise<Comparison[]> {
	return await withService({ flows: FLOWS, steps: 10 }, async (service) => {
		const scenario = (delay: number): Scenario => ({
			title: `Flow → Export, ${FLOWS} flows of 10 steps`,
			kind: 'export',
			ids: service.data.flows.map(({ id }) => id),
			delay,
			bound: delay === 0 ? BOUND : undefined,
		});
		const scenarios = [scenario(0), scenario(10)];
		return await measureScenarios(service, scenarios, 'nodeReading', { rounds, warmUpRounds: 2 });
	});
}
