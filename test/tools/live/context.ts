import type { INodeParameters, NodeApiError } from 'n8n-workflow';

import type { Engine } from '../../engine/harness/engine';
import type { Live } from '../../operations/facts';
import type { DirectApi, ServerInfo } from './directApi';
import type { Redactor } from './redactor';
import { Mismatch, NotTried, type Finding, type Outcome } from './report';
import type { RequestLog } from './requestLog';
import type { Settings } from './settings';

export interface LiveContext extends Settings {
	engine: Engine;
	api: DirectApi;
	server: ServerInfo;
	log: RequestLog;
	redactor: Redactor;
	/** Of all checks so far */
	outcomes: Outcome[];
}

type Lacking = NonNullable<Live['lacking']> | [];

export const runOf = ({ credential, parameters }: LiveContext, more: INodeParameters) => {
	return { credential, parameters: { ...parameters, ...more } };
};

/** What an error of the node says about the server: it lacks something, or something is wrong. */
function judge(
	{ server, redactor, log }: LiveContext,
	error: Error & Pick<Partial<NodeApiError>, 'description' | 'httpCode'>,
	[edition, how]: Lacking,
	lackedBy: string[],
): Finding {
	const { message, description, httpCode: status } = error;
	if (error instanceof Mismatch) return { result: 'wrong', details: message };
	if (error instanceof NotTried) return { result: 'not tried', details: message };
	const isRefused = status === '402' || status === '403';
	const isAbsent = /^This Activepieces server (has no|cannot list)/.test(message);
	const isOfEdition = edition === server.edition && (how === 'forwarded' ? !!status : isAbsent);
	const isLacked = lackedBy.some((release) => server.release.startsWith(`${release}.`));
	const isOfRelease =
		/^(In this Activepieces release, |This needs Activepieces )/.test(message) ||
		(isAbsent && isLacked);
	const told = redactor.message([message, description].filter(Boolean).join('. '));
	const details = log.last === '' ? told : `${told} (${log.last})`;
	return { result: isRefused || isOfEdition || isOfRelease ? 'lacks' : 'wrong', details };
}

/** Adds what a check found to work, or its error, to the outcomes. */
export async function check(
	context: LiveContext,
	name: string,
	find: () => Promise<string>,
	lacking: Lacking = [],
	lackedBy: string[] = [],
): Promise<Outcome> {
	const { count } = context.log;
	const start = performance.now();
	const finding = await find().then(
		(details): Finding => ({ result: 'works', details }),
		(error: Error) => judge(context, error, lacking, lackedBy),
	);
	const ms = Math.round(performance.now() - start);
	const outcome = { name, ...finding, requests: context.log.count - count, ms };
	context.outcomes.push(outcome);
	return outcome;
}
