import { startService, type DataSizes, type Service } from '../../service';
import { startCandidate } from './candidateProcess';
import type { CandidateName, Task } from './candidates';
import type { Comparison } from './report';

/** A task for the node in n8n's engine and for the other candidate. */
export interface Scenario extends Partial<Task> {
	title: string;
	kind: Task['kind'];
	/** Number of records that are returned, if it is neither that of the IDs nor that of the flows */
	records?: number;
	/** Delay of the service's responses in ms */
	delay: number;
	bound?: number;
}

/** Starts a stand-in of the service for a measurement, and stops it afterwards. */
export async function withService<T>(
	data: DataSizes,
	measure: (service: Service) => Promise<T>,
): Promise<T> {
	const service = await startService({ data: { projects: 1, ...data } });
	try {
		return await measure(service);
	} finally {
		await service.close();
	}
}

/** Sets the delay of the service's responses, and clears its recorded requests. */
export function prepare(service: Service, delay: number): void {
	service.clearFaults();
	service.clearRequests();
	if (delay > 0) service.fault({ kind: { delay } });
}

export function taskOf(
	{ baseUrl, apiKey, data }: Service,
	{ kind, pageSize = 1000, ids = [], tableId = '' }: Pick<Task, 'kind'> & Partial<Task>,
): Task {
	return { kind, baseUrl, apiKey, projectId: data.projects[0].id, tableId, pageSize, ids };
}

/**
 * Measures the node and another candidate in turns, each in a warm process of its own.
 *
 * @param data of the service, from which the scenarios are made
 */
export async function measureScenarios(
	data: DataSizes,
	scenariosOf: (service: Service) => Scenario[],
	other: CandidateName,
	{ rounds, warmUpRounds }: { rounds: number; warmUpRounds: number },
): Promise<Comparison[]> {
	return await withService(data, async (service) => {
		const scenarios = scenariosOf(service);
		const candidates = [await startCandidate('node'), await startCandidate(other)];
		const { invitations, flows, tableRows } = service.data;
		const comparisons: Comparison[] = [];
		for (const { title, delay, bound, records, ...rest } of scenarios) {
			const task = taskOf(service, rest);
			const items = task.ids.length;
			const times: number[][] = [[], []];
			for (let round = -warmUpRounds; round < rounds; round++) {
				for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
					// A delete replaces the list, so this one is still complete.
					Object.assign(service.data, { invitations, tableRows });
					prepare(service, delay);
					const ms = await candidates[which].run(task, (records ?? items) || flows.length);
					if (round >= 0) times[which].push(ms / (items || 1));
				}
			}
			const unit = items > 0 ? 'ms per item' : 'ms';
			const scenario = `${title}, ${delay} ms`;
			comparisons.push({ scenario, unit, node: times[0], other: times[1], bound });
		}
		for (const candidate of candidates) candidate.end();
		return comparisons;
	});
}
