import type { Service } from '../../service';
import { failedRuns } from './failedRuns';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

/** One flow that failed too often, one that failed once, and one that failed as often before it was repaired. */
export function failingFlows(service: Service): void {
	failedRuns(service, 10);
	const { flowId } = service.data.flowRuns[0];
	const enabled = service.data.flows.filter(({ status }) => status === 'ENABLED');
	const failing = enabled.find(({ id }) => id === flowId)!;
	const [other, repaired] = enabled.filter(({ id }) => id !== flowId);
	failing.updated = ago(5000);
	repaired.updated = ago(15);
	service.live.addFlowRun({ flowId: other.id, status: 'TIMEOUT', created: ago(1) });
	for (let minutes = 100; minutes >= 10; minutes -= 10) {
		service.live.addFlowRun({ flowId: repaired.id, status: 'FAILED', created: ago(minutes) });
	}
}
