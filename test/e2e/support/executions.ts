import type { Rest } from './rest';

type Status = 'new' | 'running' | 'success' | 'error';

interface ExecutionFilter {
	workflowId?: string;
	status: Status[];
}

async function listExecutions(rest: Rest, filter: ExecutionFilter): Promise<Array<{ id: string }>> {
	const query = new URLSearchParams({ filter: JSON.stringify(filter) });
	const { results } = await rest.get<{ results: Array<{ id: string }> }>(
		`/rest/executions?${query}`,
	);
	return results;
}

/** Number of executions in n8n that match the filter, on the first page. */
export const countExecutions = async (rest: Rest, filter: ExecutionFilter): Promise<number> =>
	(await listExecutions(rest, filter)).length;

/** The data of a workflow's executions with a status, as n8n sends it to its editor. */
export async function executionData(
	rest: Rest,
	workflowId: string,
	status: Status,
): Promise<string[]> {
	const executions = await listExecutions(rest, { workflowId, status: [status] });
	const all = executions.map(
		async ({ id }) => (await rest.get<{ data: string }>(`/rest/executions/${id}`)).data,
	);
	return await Promise.all(all);
}
