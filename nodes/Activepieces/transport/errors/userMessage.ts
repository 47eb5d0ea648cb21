import type { CredentialName } from '../credential/names';
import type { Endpoint, RequestSubject } from '../endpoint';
import { describeValue } from '../describeValue';
import { plainText } from '../plainText';
import type { MessagePlace } from './advice';

/** Characters of a name or an id in a message */
const MAX_NAME = 100;

/** What the person in the editor reads: what happened, and what to change. */
export interface UserMessage {
	message: string;
	description: string;
}

/** Everything a message about a response may speak of. The key is never part of it. */
export interface ErrorContext extends RequestSubject, Omit<Endpoint, 'movedTo'> {
	baseUrl: string;
	credentialName: CredentialName;
	/** Where it is read */
	place: MessagePlace;
	/** Host and port of the proxy on the way to the server */
	proxyHost?: string;
	/** The id as the person gave it */
	id?: string;
}

const KEY_HINT =
	'Check API Key in the credential. Keys are made in the platform admin console of Activepieces under Security → API Keys, begin with "sk-", and work only on the platform that made them.';

/** How messages speak of a credential. */
interface CredentialWords {
	/** What is sent with every request: `API key` or `session` */
	noun: string;
	/** The same in short */
	shortNoun: string;
	/** Whom the service lets do something or not: the key, or the person */
	actor: string;
	user: string;
	hint: string;
	/** For what is not accepted, or no longer */
	expiredHint: string;
}

const USER_HINT = 'Check Email in the credential, and what the user may do in Activepieces.';

export const CREDENTIAL_WORDS: Record<CredentialName, CredentialWords> = {
	activepiecesApi: {
		noun: 'API key',
		shortNoun: 'key',
		actor: 'API key',
		user: 'user behind the API key',
		hint: KEY_HINT,
		expiredHint: `${KEY_HINT} A session token, which the Community edition takes in place of a key, ends after seven days. A credential of type Activepieces Sign-In API renews it.`,
	},
	activepiecesSignInApi: {
		noun: 'session',
		shortNoun: 'session',
		actor: 'user who signs in',
		user: 'user who signs in',
		hint: USER_HINT,
		expiredHint: `Signing in worked, and the session was refused all the same. A proxy in front of Activepieces may change the Authorization header. ${USER_HINT}`,
	},
};

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

/** A name as a message repeats it: others may have made it as long as they liked. */
const quoted = (name: string): string => `"${plainText(name, MAX_NAME)}"`;

/** `folder "abc"`, `project "Sales" (def)` for the flows of a project, or `flows` when no id was given. */
export function named({ noun, id, within }: ErrorContext): string {
	if (within !== undefined) {
		const { name } = within;
		return name === undefined
			? `${within.noun} ${describeValue(within.id)}`
			: `${within.noun} ${quoted(name)} (${plainText(within.id, MAX_NAME)})`;
	}
	return id === undefined ? noun : `${noun} ${describeValue(id)}`;
}

export function capitalised(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
