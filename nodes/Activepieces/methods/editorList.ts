import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { locatorValue } from '../descriptions/locator';
import { parseRequestOptions, readCredential } from '../execution/settings';
import { toNodeError } from '../execution/nodeError';
import {
	authenticatedSender,
	ApiClient,
	type DecryptedCredential,
	secretsOfCredential,
} from '../transport/client';
import { ActivepiecesError } from '../transport/error';
import { PLACE_WORDS } from '../transport/words';
import { limits } from '../transport/limits';
import { Run } from '../transport/run';
import { sleepUntilAborted } from '../transport/run';
import { toId } from '../transport/values';

/** A list that the editor shows in a field. */
interface EditorList {
	place: 'locator' | 'optionList';
	/** Noun for its records, for example "flows" */
	noun: string;
}

/** The client for a list, with the connection settings of the node's Request Options. */
function connect(
	context: ILoadOptionsFunctions,
	{ place }: EditorList,
	credential: DecryptedCredential,
	run: Run,
): ApiClient {
	const options = context.getNodeParameter('requestOptions', {});
	return new ApiClient(authenticatedSender(context, credential), {
		credential,
		run,
		place,
		settings: parseRequestOptions(options).settings,
		maxTimeoutMs: limits.locatorRequestTimeoutMs,
		retryPolicy: limits.listSearch,
	});
}

/** Rejects when reading a list takes longer than anyone would wait. */
async function timeLimit({ place, noun }: EditorList, signal: AbortSignal): Promise<never> {
	await sleepUntilAborted(limits.locatorMaxElapsedMs, signal);
	throw new ActivepiecesError({
		message: `The list of ${noun} took too long to load`,
		description: PLACE_WORDS[place].withoutList ?? '',
	});
}

/** The project that is chosen in the node; undefined for none, and for an expression. */
export function chosenProject(context: ILoadOptionsFunctions): string | undefined {
	const value = locatorValue(context.getCurrentNodeParameter('projectId'));
	// Expressions and URLs are not resolved here. The lists of all projects contain the records.
	if (typeof value !== 'string' || value.startsWith('=') || value.includes('/')) return undefined;
	return toId(value) || undefined;
}

/**
 * Reads a list for the editor with the node's credential, within a limited time.
 *
 * @throws n8n's own error, which the editor shows in the list
 */
export async function readForEditor<T>(
	context: ILoadOptionsFunctions,
	list: EditorList,
	read: (client: ApiClient) => Promise<T>,
): Promise<T> {
	const run = new Run();
	let credential: DecryptedCredential | undefined;
	const isDone = new AbortController();
	const connectAndRead = async () => {
		const authentication = context.getNodeParameter('authentication', 'apiKey');
		credential = await readCredential(
			authentication,
			async (name) => await context.getCredentials(name),
		);
		return await read(connect(context, list, credential, run));
	};
	try {
		return await Promise.race([connectAndRead(), timeLimit(list, isDone.signal)]);
	} catch (error) {
		throw toNodeError(context.getNode(), error, { secrets: secretsOfCredential(credential) });
	} finally {
		isDone.abort();
		run.end.stop();
	}
}
