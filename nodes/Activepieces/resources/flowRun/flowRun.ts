import { type IDataObject, jsonParse, tryToParseDateTime } from 'n8n-workflow';

import { type Locator, lowerCase, nameOf, type ProjectLists } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import { type ApiClient, serverOf } from '../../transport/client/client';
import type { Endpoint } from '../../transport/client/endpoint';
import type { ApiRequest } from '../../transport/client/request';
import { ActivepiecesError } from '../../transport/errors/error';
import { isStatus } from '../../transport/http/httpStatus';
import { limits } from '../../transport/limits';
import { recordUrl } from '../../transport/recordUrl';
import { capitalize, shorten } from '../../transport/text';
import { isRecord, recordOf, textOf } from '../../transport/values';
import { fetchNamed, namedOptions, orNull, projectNameOf } from '../builders';

/**
 * Lists the production runs of a project, newest first. 0.73 needs the parameter to leave out archived
 * runs; later releases always leave them out, and ignore it (recorded).
 */
export const LIST_RUNS: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/flow-runs' },
	query: { archived: false },
	subject: { noun: 'flow runs' },
};

/** Returns a run with its steps; without a log they are empty (recorded). */
export const GET_RUN: Endpoint = { method: 'GET', path: '/v1/flow-runs/{id}' };

/** A message may be the whole response of a service; its beginning says what happened. */
const MAX_MESSAGE_LENGTH = 300;

/** How the JSON of code steps begins from 0.85 on: the message first, then a stack trace (recorded). */
const JSON_START = '{"__apErrorVersion":';

/**
 * The message in the JSON of a code step, which the service may have cut off; empty if it has none.
 * `JSON.parse` refuses a text that is cut off, so it reads what is complete.
 */
function readMessage(json: string): string {
	// Cannot appear inside a JSON text, where quotes are escaped.
	const key = '"message":"';
	const start = json.indexOf(key) + key.length;
	if (start < key.length) return '';
	// An escape takes up to six characters.
	const rest = json.slice(start, start + 6 * MAX_MESSAGE_LENGTH);
	const characters = /^(?:[\x20\x21\x23-\x5b\x5d-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/;
	const [complete] = characters.exec(rest) ?? [''];
	const text = JSON.parse(`"${complete}"`) as string;
	if (rest[complete.length] === '"') return text;
	// The service marks shortened text in the same way. Half of a character is left out.
	const kept = text.replace(/…$/, '');
	return kept && `${kept.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The message of a failed step, without the service's wrapping, at a length that a person reads. */
export function stepMessage(text: string | null): string | null {
	if (text === null) return null;
	const message = (text.startsWith(JSON_START) && readMessage(text)) || text;
	return message.length > MAX_MESSAGE_LENGTH ? shorten(message, MAX_MESSAGE_LENGTH) : message;
}

/** The whole error of a step: from 0.85 on JSON with the message and a stack trace, before that text (recorded). */
export function errorText(error: unknown): string | null {
	const text = textOrNull(error);
	const json = jsonParse<unknown>(text ?? '', { fallbackValue: null });
	return isRecord(json) ? (textOrNull(json.message) ?? text) : text;
}

/** In 0.73 null is an empty text (recorded). */
const textOrNull = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

function failedStep(run: IDataObject): IDataObject | null {
	const step = recordOf(run.failedStep);
	const name = textOrNull(step.name);
	if (name === null) return null;
	const logged = recordOf(recordOf(run.steps)[name]);
	// 0.73 has the message in the steps only. 0.85 and later shorten a long one in the failed step; a run that
	// is read by ID has it complete in its steps (recorded).
	const short = textOrNull(step.message);
	const isShortened = short === null || short.endsWith('…');
	const message = isShortened ? (textOrNull(logged.errorMessage) ?? short) : short;
	return { name, displayName: textOrNull(step.displayName), message: stepMessage(message) };
}

/**
 * The fields of a run that a person reads. Missing fields are null. Tags are left out: few runs have
 * any, and the list has a filter for them.
 */
export const simplifyRun: Simplify = (run, source) => ({
	flowName: textOrNull(recordOf(run.flowVersion).displayName),
	status: run.status ?? null,
	failedStep: failedStep(run),
	projectName: projectNameOf(run, source),
	started: textOrNull(run.startTime),
	// Up to 0.79 a retried run keeps the finish time of its first attempt (recorded).
	finished: isUnfinished(run.status) ? null : textOrNull(run.finishTime),
	url: recordUrl(source?.baseUrl, 'flowRun', run),
	...orNull(run, 'flowId', 'projectId', 'id'),
});

export const FAILED_STATUSES = [
	'FAILED',
	'INTERNAL_ERROR',
	'LOG_SIZE_EXCEEDED',
	'MEMORY_LIMIT_EXCEEDED',
	'QUOTA_EXCEEDED',
	'TIMEOUT',
];

/** The status that only newer releases know; 0.73 refuses a list of runs with it (recorded). */
const NEWER_STATUS = 'LOG_SIZE_EXCEEDED';

/** The statuses of a waiting run. Only such runs can be canceled (recorded). */
const WAITING_STATUSES = ['PAUSED', 'QUEUED'];

/** The statuses of a run, with the names that the web app of Activepieces uses. */
export const runStatuses = namedOptions(
	...['CANCELED', 'RUNNING', 'SUCCEEDED', ...FAILED_STATUSES, ...WAITING_STATUSES].sort(),
).map((option) =>
	option.value === NEWER_STATUS
		? { ...option, description: 'Not available on Activepieces 0.73' }
		: option,
);

export const isUnfinished = (status: unknown): boolean =>
	[...WAITING_STATUSES, 'RUNNING'].includes(textOf(status));

export const isWaiting = (status: unknown): boolean => WAITING_STATUSES.includes(textOf(status));

export const hasFailed = (status: unknown): boolean => FAILED_STATUSES.includes(textOf(status));

/**
 * Requests runs with these statuses. A release that does not know all of them refuses the list (400,
 * recorded at 0.73). The request is then repeated without the newer status, and later requests leave
 * it out for some time.
 */
export async function withAcceptedStatuses<T>(
	{ baseUrl }: ApiClient,
	statuses: string[],
	ask: (statuses: string[]) => Promise<T>,
): Promise<T> {
	const others = new Set(statuses);
	// A server that refuses the newer status has no runs with it alone, and the person has to know that.
	if (!others.delete(NEWER_STATUS) || others.size === 0) return await ask(statuses);
	const older = [...others];
	const server = serverOf(baseUrl);
	if (server.refusesNewStatuses) return await ask(older);
	return await ask(statuses).catch(async (error: unknown) => {
		const isRefused =
			error instanceof ActivepiecesError && isStatus(error.httpStatus, 'badRequest');
		if (!isRefused) throw error;
		// If the reason was something else, this throws it.
		const answer = await ask(older);
		server.refusesNewStatuses = true;
		return answer;
	});
}

/** `26 Nov 11:20`, in a time zone */
function timeWords(created: unknown, timeZone: string): string {
	if (Number.isNaN(Date.parse(textOf(created)))) return '';
	const time = tryToParseDateTime(textOf(created), timeZone).setZone(timeZone);
	return time.setLocale('en-US').toFormat('d LLL HH:mm');
}

/**
 * The runs of all projects, or those with one of the statuses. The editor shows about 50 characters of an entry,
 * so the parts that distinguish runs come first and the project's name last.
 */
const runLists = (status?: string[]): ProjectLists => ({
	request: { ...LIST_RUNS, query: { ...LIST_RUNS.query, ...(status && { status }) } },
	label(run, { name }, isOnly, timeZone) {
		const statusWords = capitalize(lowerCase(run.status).replaceAll('_', ' '));
		const flow = nameOf({ ...recordOf(run.flowVersion), id: run.id });
		const parts = [statusWords, flow, timeWords(run.created, timeZone)];
		return parts.filter((part) => part !== '').join(' · ') + (isOnly ? '' : ` (${name})`);
	},
	pageSize: limits.locatorRuns,
});

export const flowRunLocator: Locator = {
	name: 'flowRunId',
	displayName: 'Flow Run',
	noun: 'flow run',
	description:
		"The run to operate on. The list shows failed runs by project, newest first. Times are in the workflow's time zone.",
	required: true,
	page: 'flowRun',
	searchMethod: 'searchFlowRuns',
	// Those that every release accepts in a list.
	sources: runLists(FAILED_STATUSES.filter((status) => status !== NEWER_STATUS)),
};

export const anyRunLocator: Locator = {
	...flowRunLocator,
	description:
		"The run to get. The list shows the runs by project, newest first. Times are in the workflow's time zone.",
	searchMethod: 'searchAllFlowRuns',
	sources: runLists(),
};

export const fetchAnyRun = fetchNamed(GET_RUN, anyRunLocator);

export const waitingRunLocator: Locator = {
	...flowRunLocator,
	description:
		"The run to cancel. The list shows paused and queued runs by project, newest first. Times are in the workflow's time zone.",
	searchMethod: 'searchWaitingFlowRuns',
	sources: runLists(WAITING_STATUSES),
};
