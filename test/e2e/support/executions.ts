import type { Rest } from './rest';

/** What n8n keeps of the executions of a workflow with a status, as it sends it to its editor. */
export async function executionData(
	rest: Rest,
	workflowId: string,
	status: 'success' | 'error' | 'crashed',
): Promise<string[]> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: [status] }));
	const { results } = await rest.get<{ results: Array<{ id: string }> }>(
		`/rest/executions?filter=${filter}`,
	);
	const all = results.map(
		async ({ id }) => (await rest.get<{ data: string }>(`/rest/executions/${id}`)).data,
	);
	return await Promise.all(all);
}
