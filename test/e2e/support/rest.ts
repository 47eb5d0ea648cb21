/** The part of n8n's REST interface that its editor uses and we do. */
export interface Rest {
	/** Gives what stands in `data` of the answer; throws with n8n's message otherwise. */
	get<T>(path: string): Promise<T>;
	post<T>(path: string, body: object): Promise<T>;
	patch<T>(path: string, body: object): Promise<T>;
	/** What a browser needs to be signed in */
	readonly cookie: string;
}

/** Signs in to every n8n of ours; there is nothing behind it. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Olivia',
	lastName: 'Owner',
	password: 'Activepieces1',
};

/** n8n binds the sign-in to it. */
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

/** Makes the owner of a fresh n8n. */
export async function setUpOwner(url: string): Promise<void> {
	await dataOf(await send(`${url}/rest/owner/setup`, 'POST', OWNER));
}

/** Signs in as the owner. */
export async function signIn(url: string): Promise<Rest> {
	const { email, password } = OWNER;
	// Which key the address has depends on the release; each ignores the other's.
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
		patch: async (path, body) => await dataOf(await send(`${url}${path}`, 'PATCH', body, cookie)),
	};
}
