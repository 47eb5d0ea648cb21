import type { IDataObject } from 'n8n-workflow';

import { type Answer, isRecord, succeeded } from './answer';
import { tooManyRecords } from './explanation';
import { exchangeMoved } from './movedEndpoints';
import {
	countOf,
	createTally,
	type FetchPage,
	type Page,
	PAGE_SIZE,
	readPages,
	type Stop,
	type Tally,
} from './pages';
import type { ApiRequest } from './request';
import { unexpected } from './send';
import type { Session } from './session';

/**
 * `next` as query parameters. It is an opaque pointer, given back as `cursor`. Should a service give
 * an absolute URL, its parameters are used on our own path, so that the key cannot leave the route.
 */
function cursorQuery(session: Session, request: ApiRequest, cursor: string): IDataObject {
	if (!/^https?:\/\//i.test(cursor) || !URL.canParse(cursor)) return { cursor };
	const next = new URL(cursor);
	if (next.origin !== new URL(session.baseUrl).origin) {
		throw session.error({
			message: `The list of ${request.subject.noun} continues on another server, ${next.host}`,
			description:
				'The key is sent only to the server of Base URL. Set Base URL in the credential to the address the server knows itself by.',
		});
	}
	const own = Object.keys(request.query ?? {});
	return Object.fromEntries(
		[...next.searchParams].filter(([name]) => name !== 'limit' && !own.includes(name)),
	);
}

/** Reads a list's answer: the envelope `{data, next, previous}`. */
function readPage(session: Session, request: ApiRequest, answer: Answer): Page {
	const { data, next }: Record<string, unknown> = isRecord(answer.body) ? answer.body : {};
	const isEnvelope = next === undefined || next === null || typeof next === 'string';
	if (!succeeded(answer) || !Array.isArray(data) || !data.every(isRecord) || !isEnvelope) {
		throw unexpected(session, request, answer);
	}
	return { data, next };
}

/** Fetches pages of a list; all parameters but `limit` and `cursor` stay as they are. */
export function pageFetcher(session: Session, request: ApiRequest): FetchPage {
	return async ({ limit, cursor }) => {
		const query = {
			...request.query,
			limit,
			...(cursor === undefined ? {} : cursorQuery(session, request, cursor)),
		};
		const page = { ...request, query };
		return readPage(session, page, await exchangeMoved(session, page));
	};
}

const PAGE_SIZE_HINT =
	'Raise Page Size under Options so that fewer pages are needed, or use Limit or filters.';

/** What the person reads when a list was left before its end. */
const STOPS: Record<Exclude<Stop, 'tooMany'>, (noun: string) => string> = {
	endless: (noun) => `The list of ${noun} does not come to an end`,
	circling: (noun) => `The server repeats pages of the list of ${noun} instead of going on`,
	empty: (noun) => `The server gives nothing but empty pages of the list of ${noun}`,
	losing: (noun) => `The server leaves records out of the list of ${noun}`,
};

/** A list that may be incomplete is not given as if it were whole. */
function refuseIncomplete(session: Session, request: ApiRequest, tally: Tally, stop?: Stop) {
	if (stop === undefined) return;
	const count = countOf(tally);
	if (stop === 'tooMany') {
		const { message, description } = tooManyRecords(count);
		throw session.refusal(message, description);
	}
	throw session.error({
		message: STOPS[stop](request.subject.noun),
		description: `This was after ${count} records. ${PAGE_SIZE_HINT}`,
	});
}

/** Reads a paged list into the tally. */
export async function readList(
	session: Session,
	request: ApiRequest,
	pageSize: number,
	tally: Tally,
): Promise<void> {
	refuseIncomplete(
		session,
		request,
		tally,
		await readPages(pageFetcher(session, request), pageSize, tally),
	);
}

/**
 * Fetches a list that the service gives in one piece, as an envelope or as a bare array. Its `next` is
 * not to be followed: releases up to 0.72.3 give a constant one (read in the service's source).
 */
export async function readWhole(session: Session, request: ApiRequest): Promise<Page> {
	const answer = await exchangeMoved(session, request);
	const { body } = answer;
	return readPage(
		session,
		request,
		Array.isArray(body) ? { ...answer, body: { data: body } } : answer,
	);
}

/**
 * The projects that the key may see.
 *
 * @param wanted how many are enough; all when left out
 * @returns `undefined` on a service without that route
 */
export async function readProjects(
	session: Session,
	wanted = Infinity,
): Promise<IDataObject[] | undefined> {
	const request: ApiRequest = {
		method: 'GET',
		path: '/v1/projects',
		subject: { noun: 'projects' },
	};
	const fetchPage = pageFetcher(session, request);
	const tally = createTally(wanted);
	let routeMissing = false;
	const stop = await readPages(
		async (page) => {
			if (page.cursor !== undefined) return await fetchPage(page);
			const first = { ...request, query: { limit: page.limit } };
			const answer = await exchangeMoved(session, first);
			routeMissing = answer.isRouteMissing;
			return routeMissing ? { data: [], next: null } : readPage(session, first, answer);
		},
		PAGE_SIZE,
		tally,
	);
	refuseIncomplete(session, request, tally, stop);
	return routeMissing ? undefined : tally.records;
}
