import type { INodeParameters } from 'n8n-workflow';

import type { AnyCredential } from './credentials';
import type { Engine } from './engine';
import { CONNECTIONS } from './parameters';
import { SIGN_IN } from './signIn';
import { createTriggerRun } from './trigger';

export interface Caller {
	engine: Engine;
	baseUrl: string;
	/** Fields of the credential beside Base URL and key, or email and password */
	fields?: Record<string, string | number | boolean>;
	parameters?: INodeParameters;
}

const apiKey = `sk-${'k'.repeat(61)}`;
const keyOf = ({ baseUrl, fields }: Caller): AnyCredential => ({ baseUrl, apiKey, ...fields });
const accountOf = ({ baseUrl, fields }: Caller): AnyCredential => ({
	baseUrl,
	email: 'nathan@example.com',
	password: 'correct horse',
	...fields,
});

const textOf = (error: unknown): string => {
	const { message, description = '' } = error as { message: string; description?: string };
	return `${message}. ${description}`;
};

const caught = async (promise: Promise<unknown>): Promise<string> =>
	await promise.then((result) => `nothing went wrong: ${JSON.stringify(result)}`, textOf);

/** Every way in which the package talks to a server, each with what a person reads when it does not work. */
export const CALLERS: Record<string, (caller: Caller) => Promise<string>> = {
	'the node': async (caller) => {
		const { engine, parameters } = caller;
		const run = { credential: keyOf(caller), parameters: { ...CONNECTIONS, ...parameters } };
		return await caught(engine.records(run));
	},
	'a locator': async (caller) =>
		await caught(
			caller.engine.search('searchProjects', {
				credential: keyOf(caller),
				parameters: caller.parameters,
			}),
		),
	'the trigger': async (caller) => {
		const run = createTriggerRun(caller.engine, keyOf(caller), { event: 'userJoined' });
		return await caught(run.fetchTestEvent());
	},
	'the credential test': async (caller) =>
		(await caller.engine.testCredential(keyOf(caller))).message,
	'signing in': async (caller) => {
		const parameters = { ...CONNECTIONS, ...SIGN_IN, ...caller.parameters };
		return await caught(caller.engine.records({ credential: accountOf(caller), parameters }));
	},
	'the test of signing in': async (caller) =>
		(await caller.engine.testCredential(accountOf(caller))).message,
};
