import type { IDataObject, INodeParameters, NodeApiError } from 'n8n-workflow';

import type { Engine, RunResult } from '../engine/harness/engine';
import type { DirectApi, ServerInfo } from './directApi';
import type { Redactor } from './redactor';
import { type Finding, Mismatch, type Outcome } from './report';
import type { RequestLog } from './requestLog';
import type { Settings } from './settings';

/** What every check works with. */
export interface LiveContext extends Settings {
	engine: Engine;
	api: DirectApi;
	server: ServerInfo;
	log: RequestLog;
	redactor: Redactor;
}

/** Which editions lack what a check asks for, so that a refusal is right there. */
export interface Lacking {
	editions: Array<ServerInfo['edition']>;
	/** Instead of having no such route they pass on what another server says */
	isForwarded?: boolean;
}

/** Runs the node, however it ends. */
export async function runNodeToEnd(
	{ engine, credential, parameters: own }: LiveContext,
	parameters: INodeParameters,
): Promise<RunResult> {
	return await engine.run({ credential, parameters: { ...own, ...parameters } });
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

/** What an error of the node says of the server: it lacks something, or something is wrong. */
function judge(
	{ server, redactor, log }: LiveContext,
	error: Error & Pick<Partial<NodeApiError>, 'description' | 'httpCode'>,
	{ editions, isForwarded = false }: Lacking,
): Finding {
	const { message, description, httpCode: status } = error;
	if (error instanceof Mismatch) return { result: 'wrong', details: message };
	const isAbsent = isForwarded
		? status !== undefined
		: message.startsWith('This Activepieces server has no');
	const lacks =
		status === '402' || status === '403' || (editions.includes(server.edition) && isAbsent);
	const told = redactor.message([message, description].filter(Boolean).join('. '));
	const asked = log.last === '' ? '' : ` (${log.last})`;
	return { result: lacks ? 'lacks' : 'wrong', details: `${told}${asked}` };
}

/** Makes an outcome of a check, whatever it throws; a text tells what works. */
export async function check(
	context: LiveContext,
	name: string,
	find: () => Promise<string | Finding>,
	lacking: Lacking = { editions: [] },
): Promise<Outcome> {
	const before = context.log.count;
	const start = performance.now();
	const found = await find().catch((error: Error) => judge(context, error, lacking));
	const finding: Finding = typeof found === 'string' ? { result: 'works', details: found } : found;
	const requests = context.log.count - before;
	return { name, ...finding, requests, ms: Math.round(performance.now() - start) };
}
