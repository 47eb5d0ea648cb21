import type { IDataObject } from 'n8n-workflow';

import { HttpClient, type ClientOptions } from '../client/httpClient';
import { NodeRun } from '../client/nodeRun';
import type { ApiRequest, WebhookRequest } from '../client/request';
import { ActivepiecesError, RunEndedError } from '../errors/error';
import { incompleteListError, toApiError } from '../errors/errorFor';
import { SharedLedger, type Ledger } from '../errors/ledger';
import { isRecordUnknown, isStatus, isSuccess, type ApiResponse } from '../http/response';
import { toId } from '../ids';
import { limits, type Patience } from '../limits';
import { inSeconds } from '../texts';
import { isRecord } from '../values';
import { TrackedChange, type Change } from './change';
import {
	fetchList,
	fetchOnlyPage,
	fetchPages,
	pageFetcher,
	type ListOptions,
	type PageOptions,
	type PageRequest,
} from './pages';
import {
	fetchOfProjects,
	fetchProjects,
	ignoreDeletedProjects,
	readEachProject,
	type AllProjectsOptions,
	type Project,
} from './projects';

/*
 * What operations and events ask a service for: the records, changes and lists of an item or a poll. All of it is asked of
 * the client; the functions of `pages.ts` and `projects.ts` that take one are its own.
 */

/** Whether a record can be the one of the request: a cache may return another one. */
function isRequested({ id: asked, endpoint }: ApiRequest, record: IDataObject): boolean {
	const id = toId(record.id) ?? '';
	if (asked !== undefined && endpoint.mayReturnNewRecord !== true) return id === toId(asked);
	return id !== '' || (asked === undefined && endpoint.method !== 'POST');
}

/** The service confirms a delete with a response without a body, in every release (recorded). */
const isDeleted = ({ status, body }: ApiResponse): boolean =>
	isStatus(status, 'ok', 'noContent') && body === undefined;

/**
 * What operations and events ask a service for: records, lists and changes. Its requests are those of `HttpClient`. A
 * response that does not fit its request is an error.
 */
export class ApiClient extends HttpClient {
	/**
	 * A client for cleaning up after the run: canceling the run does not cancel its requests, and it takes
	 * little time.
	 */
	forCleanUp(): ApiClient {
		const { cleanUp } = limits;
		const maxTimeoutMs = Math.min(this.maxTimeoutMs, cleanUp.maxElapsedMs);
		return this.with({
			nodeRun: new NodeRun(),
			retryPolicy: cleanUp,
			patience: cleanUp,
			maxTimeoutMs,
		});
	}

	/**
	 * A client that waits for the response to a request after the workflow was canceled, because the node
	 * has to know what a request created in order to delete it.
	 */
	withoutAbort(): ApiClient {
		return this.with({ ignoresCancel: true });
	}

	forItems(ledgers: Ledger[]): ApiClient {
		return this.with({ ledger: new SharedLedger(ledgers) });
	}

	private with(change: Partial<ClientOptions>): ApiClient {
		const { ledger, itemSecrets } = this;
		return new ApiClient(this.sender, { ...this.options, ledger, itemSecrets, ...change });
	}

	private get patience(): Patience {
		return this.options.patience ?? limits.pendingChange;
	}

	errorFor(request: ApiRequest | WebhookRequest, response: ApiResponse): ActivepiecesError {
		return toApiError(this, request, response);
	}

	/**
	 * Notes that the service made the change of a request.
	 *
	 * @throws {ActivepiecesError} what the response means, when it does not confirm the request
	 */
	confirm(request: ApiRequest | WebhookRequest, response: ApiResponse, isConfirmed: boolean): void {
		if (!isConfirmed) throw this.errorFor(request, response);
		const { method, isNotDone } = request.endpoint;
		if (method !== 'GET' && isNotDone?.(response) !== true) this.ledger.note('done');
	}

	/**
	 * The record of a successful response. One that was requested by ID, created or changed has an ID; an
	 * object without one does not come from the API of Activepieces.
	 */
	expectRecord(request: ApiRequest, response: ApiResponse): IDataObject {
		const body = isSuccess(response) && isRecord(response.body) ? response.body : undefined;
		this.confirm(request, response, body !== undefined && isRequested(request, body));
		return body!;
	}

	async requestRecord(request: ApiRequest): Promise<IDataObject> {
		return this.expectRecord(request, await this.request(request));
	}

	/**
	 * Calls a webhook.
	 *
	 * @throws {ActivepiecesError} when the response is not the webhook's but comes from the service or from
	 * a proxy
	 */
	async call(request: WebhookRequest) {
		const response = await this.request(request);
		const { webhook } = response;
		this.confirm(request, response, webhook?.requestId !== undefined);
		return { ...response, webhook: webhook! };
	}

	/**
	 * Makes a change that must not be made twice:
	 *
	 * | When | What `find` finds is | Nothing is found |
	 * |---|---|---|
	 * | before it is sent, an earlier request may have made it | the result | an error, unless it is idempotent |
	 * | before it is sent, with `onExisting` | the argument of `onExisting` | it is sent |
	 * | its failure leaves open whether it was made, or an earlier try does | the result | the failure |
	 * | the service says that somebody else made it | the argument of `onExisting`, or the result | the failure |
	 * | any other failure | not looked for | the failure |
	 *
	 * @throws {ActivepiecesError} what the change failed with, or that nothing shows what an earlier request did
	 */
	async makeChange<T, Before = undefined>({
		send,
		find,
		onExisting,
		madeByOther = ['conflict'],
		idempotency,
	}: Change<T, Before>): Promise<T> {
		const tracked = idempotency && new TrackedChange(this.ledger, idempotency);
		const before = tracked?.before as Before;
		if (tracked?.isInDoubt) {
			const made = await tracked.findEarlier(find);
			if (made) return made;
		} else if (onExisting) {
			const existing = await find?.(before);
			if (existing) return onExisting(existing);
		}
		return await send(before).catch(async (error: unknown) => {
			const isCertainlyNotMade = error instanceof ActivepiecesError && error.outcome === 'nothing';
			tracked?.noteFailure(isCertainlyNotMade);
			if (!(error instanceof ActivepiecesError)) throw error;
			const { isInDoubt } = tracked ?? this.ledger;
			const mayBeMade = this.ledger.mayHaveChanged && (!isCertainlyNotMade || isInDoubt);
			if (!isStatus(error.httpStatus, ...madeByOther) && !mayBeMade) throw error;
			const found = await find?.(before, error).catch(() => undefined);
			if (!found) throw error;
			return isCertainlyNotMade && onExisting ? onExisting(found) : found;
		});
	}

	/**
	 * The output of n8n's nodes for a deleted record. One that is unknown now, but was there before, was deleted
	 * by an earlier request of the item whose response was lost.
	 */
	expectDeleted(
		request: ApiRequest,
		response: ApiResponse,
		wasThere = this.ledger.mayHaveChangedRecord(request.id),
	): IDataObject[] {
		const isGone = isDeleted(response) || (wasThere && isRecordUnknown(response));
		this.confirm(request, response, isGone);
		return [{ deleted: true }];
	}

	async deleteRecord(request: ApiRequest): Promise<IDataObject[]> {
		return this.expectDeleted(request, await this.request(request));
	}

	/**
	 * Polls a record while a change of it is in progress, within a time limit.
	 *
	 * @returns the last response, even if the change is still in progress
	 * @throws {RunEndedError} when the run ends first
	 */
	async pollWhile<T>(
		first: T,
		isPending: (answer: T) => boolean,
		next: () => Promise<T>,
		{ maxElapsedMs, pollMs = limits.pendingChange.pollMs, elapsed = { ms: 0 } }: Patience = this
			.patience,
	): Promise<T> {
		let answer = first;
		while (isPending(answer) && elapsed.ms < maxElapsedMs) {
			if (!(await this.nodeRun.end.wait(pollMs))) throw new RunEndedError();
			const start = performance.now();
			answer = await next();
			elapsed.ms += pollMs + performance.now() - start;
		}
		return answer;
	}

	/** How long a change in progress is awaited, for messages: `60 seconds` */
	get waitedFor(): string {
		return inSeconds(this.patience.maxElapsedMs);
	}

	/** A single page of a list. */
	async fetchPage(request: ApiRequest, page: PageRequest) {
		return await pageFetcher(this, request)(page);
	}

	/** The pages of a list, for a caller that keeps few of its records. */
	fetchPages(request: ApiRequest, options: PageOptions) {
		return fetchPages(this, request, options);
	}

	/** The records of a list, up to a limit. */
	async fetchList(request: ApiRequest, options?: ListOptions): Promise<IDataObject[]> {
		return await fetchList(this, request, options);
	}

	/** The records of a list that the service returns in one piece. */
	async fetchUnpagedList(request: ApiRequest): Promise<IDataObject[]> {
		return (await fetchOnlyPage(this, request)).data;
	}

	/** The first record of a list that is wanted, for the operation itself. */
	async findInList(
		request: ApiRequest,
		isWanted: (record: IDataObject) => boolean,
	): Promise<IDataObject | undefined> {
		const convert = (record: IDataObject) => (isWanted(record) ? record : undefined);
		const [found] = await this.fetchList(request, { limit: 1, mayDrop: true, convert });
		return found;
	}

	/** The IDs of all records of a list, read once for all input items of a run. */
	async fetchIdsOnce(request: ApiRequest): Promise<Set<string | undefined>> {
		return await this.cached(`IDs of ${request.subject.noun}`, async () => {
			const convert = ({ id }: IDataObject) => ({ id: toId(id) });
			const records = await this.fetchList(request, { convert });
			return new Set(records.map(({ id }) => id as string | undefined));
		});
	}

	/** The error for a list of more records than an input item can have. */
	tooManyRecords(request: ApiRequest, most: number): ActivepiecesError {
		return incompleteListError(this, request, { kind: 'tooManyRecords', count: most, most });
	}

	/** The projects that the key may see; undefined for a service without this list. */
	async fetchProjects(limit?: number) {
		return await fetchProjects(this, limit);
	}

	/** `fetchProjects`, read once for all input items of a run. */
	async fetchProjectsOnce() {
		return await this.cached('projects', async () => await this.fetchProjects());
	}

	/** See `ignoreDeletedProjects` of `projects.ts`. */
	ignoreDeletedProjects() {
		return ignoreDeletedProjects(this);
	}

	/** See `readEachProject` of `projects.ts`. */
	async readEachProject<T>(projects: Project[], read: (project: Project) => Promise<T>) {
		return await readEachProject(this, projects, read);
	}

	/**
	 * The records of all projects that the key may see. A service without the list of projects receives one
	 * request without a project.
	 */
	async fetchOfAllProjects(
		request: ApiRequest,
		options: AllProjectsOptions = {},
	): Promise<IDataObject[]> {
		// Not once for all input items: a run may take hours, and none may miss a project that was created meanwhile.
		const projects = await this.fetchProjects();
		if (projects === undefined) return await this.fetchList(request, options);
		return await fetchOfProjects(this, request, projects, options);
	}
}
