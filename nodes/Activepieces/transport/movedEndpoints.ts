import type { IDataObject } from 'n8n-workflow';

import { type Answer, isRecord } from './answer';
import type { ApiRequest } from './request';
import { exchange } from './send';
import type { Session } from './session';

interface Successor {
	path: string;
	query?: IDataObject;
	/** An answer that the contract's path still gives, but to another question */
	isLeftOver?: (answer: Answer) => boolean;
}

/**
 * 0.74 to 0.76 answer the old path of templates with the public ones of Activepieces, which the platform's
 * own never are among (read in the service's source).
 */
const isOfActivepieces = ({ body }: Answer): boolean =>
	isRecord(body) &&
	Array.isArray(body.data) &&
	body.data.some((template) => isRecord(template) && template.type === 'OFFICIAL');

/** Three of the contract's paths moved in later releases (0.74, 0.77 and 0.80, read in its source). */
const SUCCESSORS: Record<string, Successor> = {
	'GET /v1/queue-metrics': { path: '/v1/worker-machines/queue-metrics' },
	'GET /v1/flow-templates': {
		path: '/v1/templates',
		query: { type: 'CUSTOM' },
		isLeftOver: isOfActivepieces,
	},
	'DELETE /v1/flow-templates/{id}': { path: '/v1/templates/{id}' },
};

/** Long enough to save the detour, short enough that an upgrade or downgrade is soon noticed. */
const REMEMBERED_MS = 10 * 60 * 1000;

/** `<base URL> <method> <contract path>` → until when the successor is asked first. */
const moved = new Map<string, number>();

/**
 * Sends a request to the contract's path, and to its successor when the server has no such route.
 * Only the framework's own 404 counts, and what is left over at the old path; a record that does not
 * exist is the answer. Which one a server has is remembered per Base URL for ten minutes.
 */
export async function exchangeMoved(session: Session, request: ApiRequest): Promise<Answer> {
	const name = `${request.method} ${request.path}`;
	const successor = SUCCESSORS[name];
	if (successor === undefined) return await exchange(session, request);

	const later: ApiRequest = {
		...request,
		path: successor.path,
		query: { ...request.query, ...successor.query },
	};
	const key = `${session.baseUrl} ${name}`;
	const laterFirst = (moved.get(key) ?? 0) > Date.now();

	const first = await exchange(session, laterFirst ? later : request);
	const isLeftOver = !laterFirst && successor.isLeftOver?.(first) === true;
	if (!first.isRouteMissing && !isLeftOver) return first;

	const second = await exchange(session, laterFirst ? request : later);
	if (second.isRouteMissing || laterFirst) moved.delete(key);
	else moved.set(key, Date.now() + REMEMBERED_MS);
	return second;
}
