import type { CredentialJson } from './headless';
import { NOT_KEPT_ALIVE } from './longRunning';
import type { WorkflowJson } from './workflow';

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
		headers: {
			'browser-id': BROWSER_ID,
			'content-type': 'application/json',
			...NOT_KEPT_ALIVE,
			cookie,
		},
		body: body && JSON.stringify(body),
	});
}

async function dataOf<T>(response: Response): Promise<T> {
	const text = await response.text();
	if (response.ok) return (JSON.parse(text) as { data: T }).data;
	throw new Error(`${response.url} answered ${response.status}: ${text.slice(0, 1000)}`);
}

export async function setUpOwner(url: string): Promise<void> {
	await dataOf(await send(`${url}/rest/owner/setup`, 'POST', OWNER));
}

/** n8n's REST interface, which its editor uses, as its signed-in owner. */
export type Rest = Awaited<ReturnType<typeof signIn>>;

export async function signIn(url: string) {
	const { email, password } = OWNER;
	// The name of the field depends on the release; each ignores the other.
	const login = { email, emailOrLdapLoginId: email, password };
	const response = await send(`${url}/rest/login`, 'POST', login);
	await dataOf(response);
	const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
	const cookie = cookies.join('; ');
	return {
		/** Returns the data of the response; throws n8n's message for a failure. */
		get: async <T>(path: string) =>
			await dataOf<T>(await send(`${url}${path}`, 'GET', undefined, cookie)),
		post: async <T>(path: string, body: object) =>
			await dataOf<T>(await send(`${url}${path}`, 'POST', body, cookie)),
		delete: async (path: string) =>
			await dataOf(await send(`${url}${path}`, 'DELETE', undefined, cookie)),
	};
}

/** Saves a workflow, to which n8n assigns an ID. */
export const addWorkflow = async ({ post }: Rest, json: WorkflowJson) =>
	await post<{ id: string; versionId: string }>('/rest/workflows', { ...json, id: undefined });

/** Saves a credential, and returns the ID that n8n assigns to it. */
export const addCredential = async ({ post }: Rest, credential: Omit<CredentialJson, 'id'>) =>
	(await post<{ id: string }>('/rest/credentials', credential)).id;
