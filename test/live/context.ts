import { type IDataObject, type INodeParameters, NodeApiError } from 'n8n-workflow';

import type { Engine, RunResult } from '../engine/harness/engine';
import { type Finding, Mismatch, type Outcome } from './outcome';
import type { Redactor } from './redactor';
import type { RequestLog } from './requestLog';
import type { ServerInfo } from './server';
import type { Session } from './session';

/** What every check works with. */
export interface LiveContext {
	engine: Engine;
	session: Session;
	server: ServerInfo;
	log: RequestLog;
	redactor: Redactor;
}

/** What the edition or the plan may lack of a check, and in which editions a server without it is right. */
export interface Lacking {
	editions: Array<ServerInfo['edition']>;
}

/** Runs the node and gives the JSON of its items; throws the error that stopped it. */
export async function runNode(
	context: LiveContext,
	parameters: INodeParameters,
): Promise<IDataObject[]> {
	const { error, items } = await runNodeToEnd(context, parameters);
	if (error !== undefined) throw error;
	return items.map(({ json }) => json);
}

/** Runs the node, however it ends. */
export async function runNodeToEnd(
	{ engine, session, redactor }: LiveContext,
	parameters: INodeParameters,
): Promise<RunResult> {
	const result = await engine.run({
		credential: session.credential,
		parameters: { ...session.parameters, ...parameters },
	});
	redactor.learn(result.items.map(({ json }) => json));
	return result;
}

/** Opens From List of a locator, as the editor does. */
export async function searchEntries(
	context: LiveContext,
	method: string,
	{ filter, paginationToken }: { filter?: string; paginationToken?: string } = {},
) {
	const { engine, session, redactor } = context;
	const found = await engine.search(method, {
		credential: session.credential,
		parameters: session.parameters,
		filter,
		paginationToken,
	});
	for (const { name } of found.results) redactor.learnEntry(name);
	return found;
}

const isRouteMissing = ({ message }: Error) =>
	message.startsWith('This Activepieces server has no');

/** What an error of the node says of the server: it lacks something, or something is wrong. */
function judge(
	{ server, redactor, log }: LiveContext,
	error: unknown,
	{ editions }: Lacking,
): Finding {
	if (error instanceof Mismatch) return { result: 'wrong', details: error.message };
	const { message, description } = error as Error & { description?: string | null };
	const status = error instanceof NodeApiError ? error.httpCode : undefined;
	const lacksByEdition = editions.includes(server.edition);
	const lacks =
		status === '402' || status === '403' || (lacksByEdition && isRouteMissing(error as Error));
	if (lacks) return { result: 'lacks', details: redactor.message(message) };
	const asked = log.last === '' ? '' : ` (${log.last})`;
	const told = redactor.message([message, description].filter(Boolean).join('. '));
	return { result: 'wrong', details: `${told}${asked}` };
}

/** Makes an outcome of a check, whatever it throws. */
export async function check(
	context: LiveContext,
	name: string,
	find: () => Promise<Finding>,
	lacking: Lacking = { editions: [] },
): Promise<Outcome> {
	const { log } = context;
	const before = log.count;
	const start = performance.now();
	const finding = await find().catch((error: unknown) => judge(context, error, lacking));
	return {
		name,
		...finding,
		requests: log.count - before,
		ms: Math.round(performance.now() - start),
	};
}
