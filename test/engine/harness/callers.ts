import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import type { AnyCredential } from './credentials';
import type { Engine } from './engine';
import { CONNECTIONS } from './parameters';
import { TriggerRun } from './trigger';

interface Caller {
	engine: Engine;
	baseUrl: string;
	/** Key and account; by default a valid key */
	secrets?: { apiKey: string; email: string; password: string };
	fields?: Record<string, ICredentialDataDecryptedObject[string]>;
	/** Parameters of the node, in place of those of a list */
	parameters?: INodeParameters;
}

const ANY = {
	apiKey: `sk-${'k'.repeat(61)}`,
	email: 'nathan@example.com',
	password: 'correct horse',
};

const keyOf = ({ baseUrl, fields, secrets: { apiKey } = ANY }: Caller) =>
	({ baseUrl, apiKey, ...fields }) as AnyCredential;
const accountOf = ({ baseUrl, fields, secrets: { email, password } = ANY }: Caller) =>
	({ baseUrl, email, password, ...fields }) as AnyCredential;

/** The message of a caller without an error. */
export const NOTHING_WRONG = 'nothing went wrong';

const caught = async (promise: Promise<unknown>): Promise<string> =>
	await promise.then(
		() => NOTHING_WRONG,
		(error: Error & { description?: string }) => `${error.message}. ${error.description ?? ''}`,
	);

const records = async ({ engine, parameters }: Caller, credential: AnyCredential, more = {}) =>
	await caught(
		engine.records({ credential, parameters: { ...CONNECTIONS, ...more, ...parameters } }),
	);

const tested = async ({ engine }: Caller, credential: AnyCredential) => {
	const { status, message } = await engine.testCredential(credential);
	return status === 'OK' ? NOTHING_WRONG : message;
};

/**
 * Every way in which the package sends requests to a server, with the message that a person reads when it
 * fails.
 */
export const CALLERS: Record<string, (caller: Caller) => Promise<string>> = {
	'the node': async (caller) => await records(caller, keyOf(caller)),
	'a locator': async (caller) =>
		await caught(caller.engine.search('searchProjects', { credential: keyOf(caller) })),
	'an option list': async (caller) =>
		await caught(caller.engine.loadOptions('getFlows', { credential: keyOf(caller) })),
	'the trigger': async (caller) => {
		const n8n = { engine: caller.engine, credential: keyOf(caller) };
		return await caught(new TriggerRun(n8n, { event: 'userJoined' }).fetchTestEvent());
	},
	'the credential test': async (caller) => await tested(caller, keyOf(caller)),
	'signing in': async (caller) => await records(caller, accountOf(caller)),
	'the test of signing in': async (caller) => await tested(caller, accountOf(caller)),
};
