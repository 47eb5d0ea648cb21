import { MOST_RECORDS } from './bounds';
import type { Subject } from './request';

/** What the person in the editor reads: what happened, and what to change. */
export interface Explanation {
	message: string;
	description: string;
}

/** Everything an explanation may speak of. The key is never part of it. */
export interface Circumstances extends Subject {
	method: string;
	/** Path as the contract writes it, for example `/v1/folders/{id}` */
	path: string;
	baseUrl: string;
	/** The id as the person gave it */
	id?: string;
}

export const KEY_HINT =
	'Check API Key in the credential. Keys are made in the platform admin console of Activepieces under Security → API Keys, begin with "sk-", and work only on the platform that made them.';

/** For keys that are not accepted, or no longer. */
export const KEY_OR_TOKEN_HINT = `${KEY_HINT} A session token, which the Community edition takes in place of a key, ends after seven days.`;

/** Says which Base URL would have been right, for answers that are not from the API. */
export function baseUrlHint(baseUrl: string): string {
	const { origin, pathname } = new URL(baseUrl);
	const path = pathname === '/' ? '' : pathname;
	const upToApi = /^.*?\/api(?=\/|$)/.exec(path)?.[0] ?? `${path}/api`;
	const atRoot = `${origin}/api`;
	if (path === upToApi) {
		const check = `Check that ${baseUrl}, the Base URL in the credential, is the address of the API.`;
		return path === '/api' ? check : `${check} Without the path of a page it would be ${atRoot}`;
	}
	// A path is more often that of a page of the web app than one under which Activepieces is served.
	const advice = `Base URL in the credential should probably end in /api: try ${atRoot}`;
	return upToApi === '/api'
		? advice
		: `${advice}, or ${origin + upToApi} if Activepieces is served under that path`;
}

/** Whether a Base URL goes on after the place where the API of a server begins. */
export const goesPastApi = (baseUrl: string): boolean =>
	/^\/api\/./.test(new URL(baseUrl).pathname);

/** One input item has more records than n8n can take from it. */
export function tooManyRecords(count: number): Explanation {
	return {
		message: `One input item gave ${count} records, more than n8n can take from one item (${MOST_RECORDS})`,
		description: 'Use Limit or filters, or list each project with an input item of its own.',
	};
}

/** `folder "abc"`, `project "def"` for the flows of a project, or `flows` when no id was given. */
export function named({ noun, id, within }: Circumstances): string {
	if (within !== undefined) return `${within.noun} "${within.id}"`;
	return id === undefined ? noun : `${noun} "${id}"`;
}

export function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
