/** The part of n8n's REST interface that its editor uses and we do. */
export interface Rest {
	/** Returns `data` of the response; throws n8n's message for a failure. */
	get<T>(path: string): Promise<T>;
	post<T>(path: string, body: object): Promise<T>;
	/** The cookie of the session, for a browser */
	readonly cookie: string;
}

/** The account of every n8n in these tests, which contain no real data. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Olivia',
	lastName: 'Owner',
	password: 'Activepieces1',
};

/** n8n binds the session to it. */
const BROWSER_ID = 'n8n-nodes-activepieces';

async function send(url: string, method: string, body?: object, cookie = ''): Promise<Response> {
	return await fetch(url, {
		method,
		headers: { 'browser-id': BROWSER_ID, 'content-type': 'application/json', cookie },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
}

async function dataOf<T>(response: Response): Promise<T> {
	const text = await response.text();
	if (!response.ok) {
		throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 1000)}`);
	}
	return (JSON.parse(text) as { data: T }).data;
}

function cookieOf(response: Response): string {
	return response.headers
		.getSetCookie()
		.map((cookie) => cookie.split(';')[0])
		.join('; ');
}

/** Creates the owner of a new n8n. */
export async function setUpOwner(url: string): Promise<void> {
	await dataOf(await send(`${url}/rest/owner/setup`, 'POST', OWNER));
}

export async function signIn(url: string): Promise<Rest> {
	const { email, password } = OWNER;
	// The name of the field depends on the release; each ignores the other.
	const response = await send(`${url}/rest/login`, 'POST', {
		email,
		emailOrLdapLoginId: email,
		password,
	});
	await dataOf(response.clone());
	const cookie = cookieOf(response);
	return {
		cookie,
		get: async (path) => await dataOf(await send(`${url}${path}`, 'GET', undefined, cookie)),
		post: async (path, body) => await dataOf(await send(`${url}${path}`, 'POST', body, cookie)),
	};
}

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
