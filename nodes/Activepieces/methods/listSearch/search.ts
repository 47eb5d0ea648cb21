import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { Locator } from '../../descriptions/locator';
import { readCredential } from '../../execution/readCredential';
import { parseRequestOptions } from '../../execution/requestOptions';
import { toNodeError } from '../../execution/toNodeError';
import {
	type ApiClient,
	authenticatedSender,
	createClient,
	type DecryptedCredential,
	secretsOfCredential,
} from '../../transport/client';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';
import { createRunState, type RunState } from '../../transport/runState';
import { sleepUntilAborted } from '../../transport/sleep';
import { searchSources } from './searchSources';

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The client of a locator, with what the node's Request Options say about the connection. */
function connect(
	context: ILoadOptionsFunctions,
	credential: DecryptedCredential,
	run: RunState,
): ApiClient {
	const options = context.getNodeParameter('requestOptions', {});
	return createClient(authenticatedSender(context, credential), {
		credential,
		runState: run,
		place: 'locator',
		settings: parseRequestOptions(options).settings,
		maxTimeoutMs: limits.locatorRequestTimeoutMs,
		retryPolicy: limits.listSearch,
	});
}

/** The end of a search that takes longer than anyone waits for a list. */
async function timeLimit(noun: string, signal: AbortSignal): Promise<never> {
	await sleepUntilAborted(limits.locatorMaxElapsedMs, signal);
	throw new ActivepiecesError({
		message: `The list of ${noun}s takes too long to read`,
		description: 'Enter the ID with By ID instead.',
	});
}

/** The search method behind a locator's From List. */
export function createSearch({ noun, page, sources }: Locator): Search {
	return async function (filter, paginationToken) {
		const run = createRunState();
		let credential: DecryptedCredential | undefined;
		const isDone = new AbortController();
		const search = async () => {
			const authentication = this.getNodeParameter('authentication', 'apiKey');
			credential = await readCredential(
				authentication,
				async (name) => await this.getCredentials(name),
			);
			const client = connect(this, credential, run);
			return await searchSources(client, await sources(client), { page, filter, paginationToken });
		};
		try {
			return await Promise.race([search(), timeLimit(noun, isDone.signal)]);
		} catch (error) {
			throw toNodeError(this.getNode(), error, { secrets: secretsOfCredential(credential) });
		} finally {
			isDone.abort();
			run.stop();
		}
	};
}
