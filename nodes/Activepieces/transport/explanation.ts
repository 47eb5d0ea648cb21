/** What the person in the editor reads: what happened, and what to change. */
export interface Explanation {
	message: string;
	description: string;
}

/** Everything an explanation may speak of. The key is never part of it. */
export interface Circumstances {
	method: string;
	/** Path as the contract writes it, for example `/v1/folders/{id}` */
	path: string;
	baseUrl: string;
	noun: string;
	field?: string;
	feature?: string;
	newName?: string;
	/** What the thing lies in, when that was named by id, for example the project of flows */
	within?: { noun: string; id: string };
	/** The id as the person gave it */
	id?: string;
}

export const KEY_HINT =
	'Check API Key in the credential. Keys are made in the platform admin console of Activepieces under Security → API Keys, begin with "sk-", and work only on the platform that made them.';

/** Says which Base URL would have been right, for answers that are not from the API. */
export function baseUrlHint(baseUrl: string): string {
	return /\/api$/.test(baseUrl)
		? `Check Base URL in the credential: ${baseUrl} does not lead to the API of Activepieces.`
		: `Base URL in the credential should probably end in /api: try ${baseUrl}/api`;
}

/** `folder "abc"`, `project "def"` for the flows of a project, or `flows` when no id was given. */
export function named({ noun, id, within }: Circumstances): string {
	if (within !== undefined) return `${within.noun} "${within.id}"`;
	return id === undefined ? noun : `${noun} "${id}"`;
}

export function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
