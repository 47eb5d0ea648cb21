import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import type { ListSource } from '../../descriptions/listSource';
import type { Locator } from '../../descriptions/locator';
import { parseRequestOptions } from '../../execution/requestOptions';
import { toNodeError } from '../../execution/toNodeError';
import {
	type ApiClient,
	createClient,
	type DecryptedCredential,
	secretsOf,
} from '../../transport/client';
import { credentialName } from '../../transport/credential/names';
import { ActivepiecesError, AuthenticationError } from '../../transport/errors/activepiecesError';
import { limits } from '../../transport/limits';
import { listUnpaged, pageFetcher } from '../../transport/paging/lists';
import { createLoopGuard } from '../../transport/paging/loopGuard';
import type { Page } from '../../transport/paging/page';
import { createRunState, type RunState } from '../../transport/runState';
import { sleepUntilAborted } from '../../transport/sleep';

type Search = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** Where a search stopped: in which source, after which page. Opaque to n8n. */
interface Position {
	source: number;
	cursor?: string;
}

function parsePosition(token: string | undefined): Position {
	try {
		return token === undefined ? { source: 0 } : (JSON.parse(token) as Position);
	} catch {
		return { source: 0 };
	}
}

/** What a source may answer without hiding the others: not allowed, gone, or not on this plan. */
const SKIPPED_STATUSES = [402, 403, 404, 409];

const isSkipped = (error: unknown): error is ActivepiecesError =>
	error instanceof ActivepiecesError &&
	!(error instanceof AuthenticationError) &&
	SKIPPED_STATUSES.includes(error.httpStatus ?? 0);

/** The page of a source that comes after a cursor; the first one without. */
async function fetchPage(
	client: ApiClient,
	{ request, isPaged, pageSize = limits.defaultPageSize }: ListSource,
	cursor?: string,
): Promise<Page> {
	return isPaged
		? await pageFetcher(client, request)({ limit: pageSize, cursor })
		: await listUnpaged(client, request);
}

/** Gives first pages, and fetches those of the next sources ahead, side by side. */
function readAhead(client: ApiClient, sources: ListSource[]): (index: number) => Promise<Page> {
	const pages = new Map<number, Promise<Page>>();
	return async (index) => {
		const end = Math.min(index + limits.maxConcurrency, sources.length);
		for (let ahead = index; ahead < end; ahead++) {
			if (pages.has(ahead)) continue;
			const page = fetchPage(client, sources[ahead]);
			// Heard of when it is its turn.
			page.catch(() => {});
			pages.set(ahead, page);
		}
		return await (pages.get(index) ?? fetchPage(client, sources[index]));
	};
}

/**
 * Collects entries for a locator from several lists, one after the other. The service has no search
 * for most of them, so the text is looked for here. It gives what it has found after a while and goes
 * on when the person scrolls; as long as nothing is found it reads on, since the editor cannot scroll
 * an empty list.
 *
 * @throws {ActivepiecesError} saying why, when none of the lists can be read
 */
async function searchSources(
	client: ApiClient,
	sources: ListSource[],
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const start = Date.now();
	const wanted = filter.trim().toLowerCase();
	const results: INodeListSearchResult['results'] = [];
	const seen = new Set<string>();
	const firstPage = readAhead(client, sources);
	let guard = createLoopGuard();
	let { source, cursor } = parsePosition(paginationToken);
	let isReadable = source > 0 || cursor !== undefined;
	let refusal: ActivepiecesError | undefined;

	while (source < sources.length) {
		const isLate = Date.now() - start > limits.locatorFirstEntriesMs;
		if (results.length >= limits.locatorEntries || (isLate && results.length > 0)) {
			return { results, paginationToken: JSON.stringify({ source, cursor } satisfies Position) };
		}
		const current = sources[source];
		const page = await (
			cursor === undefined ? firstPage(source) : fetchPage(client, current, cursor)
		).catch((error: unknown) => {
			if (!isSkipped(error)) throw error;
			refusal ??= error;
		});
		isReadable ||= page !== undefined;

		const known = seen.size;
		for (const record of page?.data ?? []) {
			const value = typeof record.id === 'string' ? record.id : '';
			const name = current.label(record);
			if (value === '' || seen.has(value)) continue;
			seen.add(value);
			if (`${name} ${value}`.toLowerCase().includes(wanted)) results.push({ name, value });
		}

		const next = current.isPaged && typeof page?.next === 'string' ? page.next : '';
		const rows = page?.data.length ?? 0;
		if (next === '' || guard(rows, seen.size === known, next) !== undefined) {
			source++;
			cursor = undefined;
			guard = createLoopGuard();
		} else {
			cursor = next;
		}
	}
	if (!isReadable && refusal !== undefined) throw refusal;
	return { results };
}

/** The client of a locator, with what the node's Request Options say about the connection. */
function connect(
	context: ILoadOptionsFunctions,
	credential: DecryptedCredential,
	run: RunState,
): ApiClient {
	const options = context.getNodeParameter('requestOptions', {});
	return createClient(context, {
		credential,
		run,
		requestDefaults: parseRequestOptions(options).requestDefaults,
		retryPolicy: limits.listSearch,
	});
}

/** The end of a search that takes longer than anyone waits for a list. */
async function timeLimit(noun: string, signal: AbortSignal): Promise<never> {
	await sleepUntilAborted(limits.locatorMaxElapsedMs, signal);
	throw new ActivepiecesError({
		message: `The list of ${noun}s takes too long to read`,
		description: 'Enter the ID with By ID instead, or type a part of the name to search for.',
	});
}

/** The search method behind a locator's From List. */
export function createSearch({ noun, sources }: Locator): Search {
	return async function (filter, paginationToken) {
		const run = createRunState();
		let credential: DecryptedCredential | undefined;
		const isDone = new AbortController();
		const search = async () => {
			const name = credentialName(this.getNodeParameter('authentication', 'apiKey'));
			credential = { name, data: await this.getCredentials(name) };
			const client = connect(this, credential, run);
			return await searchSources(client, await sources(client), filter, paginationToken);
		};
		try {
			return await Promise.race([search(), timeLimit(noun, isDone.signal)]);
		} catch (error) {
			throw toNodeError(this.getNode(), error, { secrets: secretsOf(credential) });
		} finally {
			isDone.abort();
			run.stop();
		}
	};
}
