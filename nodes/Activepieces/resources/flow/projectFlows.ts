import type { IDataObject } from 'n8n-workflow';

import { createLimiter } from '../../transport/limiter';
import { readList, readProjects } from '../../transport/lists';
import { createTally, type Tally } from '../../transport/pages';
import type { ApiRequest } from '../../transport/request';
import type { Session } from '../../transport/session';

/** The request for the flows of one project; the service wants a project with every one. */
export function inProject(request: ApiRequest, projectId: unknown, field?: string): ApiRequest {
	return {
		...request,
		query: { ...request.query, projectId: projectId as string },
		subject: { ...request.subject, field, within: { noun: 'project', id: String(projectId) } },
	};
}

/** One project after the other, because each needs only what the ones before left of the limit. */
async function readOneByOne(
	session: Session,
	requests: ApiRequest[],
	pageSize: number,
	wanted: number,
	keep: Tally['keep'],
): Promise<IDataObject[]> {
	const tally = createTally(wanted, keep);
	for (const request of requests) {
		if (tally.records.length >= wanted) break;
		await readList(session, request, pageSize, tally);
	}
	return tally.records;
}

/** As many as may be in flight: more would only wait in line, and go on when one goes wrong. */
const PROJECTS_AT_ONCE = 10;

/** All projects side by side, as far as the session's bound allows; the order of projects is kept. */
async function readSideBySide(
	session: Session,
	requests: ApiRequest[],
	pageSize: number,
	keep: Tally['keep'],
): Promise<IDataObject[]> {
	// One set for all, so that a flow moved to another project meanwhile is given once.
	const seen = new Set<unknown>();
	const tallies = requests.map((): Tally => ({ ...createTally(Infinity, keep), seen }));
	const atOnce = createLimiter(PROJECTS_AT_ONCE);
	try {
		await Promise.all(
			requests.map(
				async (request, index) =>
					await atOnce(async () => await readList(session, request, pageSize, tallies[index])),
			),
		);
	} finally {
		// The others still wait for their turn when one went wrong; they shall ask for nothing more.
		for (const tally of tallies) tally.abandoned = true;
	}
	return tallies.flatMap(({ records }) => records);
}

/**
 * The flows of all projects that the key may see. A service without the route for projects is asked
 * once without one.
 */
export async function readFlowsOfAllProjects(
	session: Session,
	request: ApiRequest,
	pageSize: number,
	wanted: number,
	keep: Tally['keep'],
): Promise<IDataObject[]> {
	const projects = await readProjects(session);
	const requests = projects?.map(({ id }) => inProject(request, id)) ?? [request];
	return wanted === Infinity
		? await readSideBySide(session, requests, pageSize, keep)
		: await readOneByOne(session, requests, pageSize, wanted, keep);
}
