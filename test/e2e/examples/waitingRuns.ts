import type { Service } from '../../service';

const HOUR = 3_600_000;

/** Runs that have waited for too long, and others that have not, or do not wait. */
export function addWaitingRuns({ data, live }: Service) {
	data.flowRuns = [];
	const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();
	const old = [48, 30].map(
		(hours) => live.addFlowRun({ status: 'PAUSED', created: ago(hours) }).id,
	);
	const others = [
		live.addFlowRun({ status: 'SUCCEEDED', created: ago(48) }),
		live.addFlowRun({ status: 'PAUSED', created: ago(2) }),
	];
	return { old, others: others.map(({ id, status }) => ({ id, status })) };
}
