import { jsonParse, tryToParseDateTime, type IDataObject } from 'n8n-workflow';

import { lowerCase, nameOf, type Locator, type ProjectLists } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import { writeJson } from '../../descriptions/parameters';
import { recordUrl } from '../../descriptions/webApp';
import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest, Endpoint, RequestTarget } from '../../transport/client/request';
import { limits } from '../../transport/limits';
import { capitalize, shorten } from '../../transport/texts';
import { isRecord, orNull, recordOf, textOf } from '../../transport/values';
import { projectNameOf } from '../project/project';

export const textOrNull = (value: unknown) => textOf(value) || null;

/** Leaves out the URLs of files with outputs, which open them without a key (recorded). */
export function logWithoutFileUrls(log: unknown): unknown {
	if (!isRecord(log)) return log;
	const clean = (step: unknown): unknown => {
		if (!isRecord(step) || !isRecord(step.output)) return step;
		const { iterations, fileId, size } = step.output;
		if (step.outputType === 'slice') return { ...step, output: { fileId, size } };
		if (!Array.isArray(iterations)) return step;
		return { ...step, output: { ...step.output, iterations: iterations.map(logWithoutFileUrls) } };
	};
	return Object.fromEntries(Object.entries(log).map(([name, step]) => [name, clean(step)]));
}

/**
 * The steps of a log in the order in which they ran, each with its place: `iteration` is that of a loop,
 * from 1; of nested loops a text, such as `2.1`; null outside of loops. The steps of a loop are only in
 * the iterations of its output, and one that fails there leaves the loop itself succeeded (recorded).
 *
 * @param ofRun what each step says of its run
 */
export function stepsOfLog(log: unknown, ofRun: IDataObject = {}, iteration = ''): IDataObject[] {
	if (!isRecord(log)) return [];
	return Object.entries(log).flatMap(([name, step]) => {
		if (!isRecord(step)) return [];
		const { output } = step;
		const isSingle = /^\d+$/.test(iteration);
		const logged = {
			...step,
			...ofRun,
			name,
			iteration: isSingle ? Number(iteration) : iteration || null,
		};
		const isLoop = step.type === 'LOOP_ON_ITEMS' && isRecord(output);
		if (!isLoop || !Array.isArray(output.iterations)) return [logged];
		const { iterations, ...own } = output;
		return [
			{ ...logged, output: own },
			...iterations.flatMap((each: unknown, index: number) =>
				stepsOfLog(each, ofRun, iteration ? `${iteration}.${index + 1}` : String(index + 1)),
			),
		];
	});
}

export const FAILED_STATUSES = [
	'FAILED',
	'INTERNAL_ERROR',
	'LOG_SIZE_EXCEEDED',
	'MEMORY_LIMIT_EXCEEDED',
	'QUOTA_EXCEEDED',
	'TIMEOUT',
];

/** The statuses of a waiting run. Only such runs can be canceled (recorded). */
const WAITING_STATUSES = ['PAUSED', 'QUEUED'];

export const RUN_STATUSES = [
	...['CANCELED', 'RUNNING', 'SUCCEEDED'],
	...[...FAILED_STATUSES, ...WAITING_STATUSES],
].sort();

export const isUnfinished = (status: unknown): boolean =>
	[...WAITING_STATUSES, 'RUNNING'].includes(textOf(status));

export const isWaiting = (status: unknown): boolean => WAITING_STATUSES.includes(textOf(status));

export const hasFailed = (status: unknown): boolean => FAILED_STATUSES.includes(textOf(status));

/** The service shortens an error to fewer characters (650 recorded). */
const MAX_CUT = 2000;

/** How the JSON of an error begins when its message is what says what happened (recorded). */
const MESSAGE_START = /^\{\s{0,9}(?:"__apErrorVersion":\d{1,9},)?"message":\s?"/;

/** The message in JSON that the service has cut off, as far as it goes; undefined if there is none. */
function messageOfCutJson(json: string): string | undefined {
	const [start] = MESSAGE_START.exec(json) ?? [];
	if (start === undefined) return undefined;
	const rest = json.slice(start.length, start.length + MAX_CUT);
	const characters = /^(?:[\x20\x21\x23-\x5b\x5d-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*/;
	const [complete] = characters.exec(rest) ?? [''];
	const text = JSON.parse(`"${complete}"`) as string;
	if (rest[complete.length] === '"') return text || undefined;
	// The service marks shortened text in the same way. Half of a character is left out.
	const kept = text.replace(/…$/, '');
	return kept ? `${kept.replace(/[\ud800-\udbff]$/, '')}…` : undefined;
}

/** Up to 0.79 a stack trace follows the message of a code step, later it is beside the message (recorded). */
function withoutTrace(text: string): string {
	const start = text.search(/\n {4}at /);
	return start > 0 ? text.slice(0, start) : text;
}

/**
 * The error of a step as a person reads it, the same in every release. It may be text with a stack trace, or
 * JSON: of a code step from 0.85 on, of a failed subflow, of a refused request; its message may be JSON again
 * (recorded).
 */
export function stepError(error: unknown): string | null {
	const text = textOrNull(error);
	if (text === null) return null;
	const json = jsonParse<unknown>(text, { fallbackValue: null });
	// Each message is shorter than the text that contains it.
	const inner = isRecord(json) ? json.message : (json ?? messageOfCutJson(text));
	if (typeof inner === 'string' && inner !== '') return stepError(inner);
	if (typeof json !== 'object' || json === null) return withoutTrace(text);
	return writeJson(json).json ?? text;
}

/** Lists the production runs of a project, newest first. */
export const LIST_RUNS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/flow-runs',
		order: 'newestFirst',
		hasLargeRecords: true,
		// Up to 0.79 its cursor loses the rest of a second (recorded).
		continuesByTime: true,
	},
	subject: { noun: 'flow runs' },
};

/** Returns a run with its steps; without a log they are empty (recorded). */
export const GET_RUN: Endpoint = { method: 'GET', path: '/v1/flow-runs/{id}' };

export const fetchRun = async (client: ApiClient, target: RequestTarget): Promise<IDataObject> =>
	await client.requestRecord({ endpoint: GET_RUN, ...target });

/** An error may be the whole response of a service; its beginning says what happened. */
const MAX_MESSAGE_LENGTH = 300;

/** The last error of a step, which may be in an iteration of a loop. */
const loggedMessage = ({ steps }: IDataObject, name: string): string | null =>
	stepsOfLog(steps)
		.filter((step) => step.name === name)
		.map(({ errorMessage }) => textOrNull(errorMessage))
		.filter((message) => message !== null)
		.at(-1) ?? null;

function failedStep(run: IDataObject): IDataObject | null {
	const step = recordOf(run.failedStep);
	const name = textOrNull(step.name);
	// A run that is retried keeps the step that failed before (recorded), even if it succeeds (read in the
	// service's source).
	if (name === null || !hasFailed(run.status)) return null;
	// 0.85 and later shorten a long one in the failed step; a run that is read by ID has it complete in its steps
	// (recorded).
	const short = textOrNull(step.message);
	const error = stepError(
		short === null || short.endsWith('…') ? (loggedMessage(run, name) ?? short) : short,
	);
	const message = error && shorten(error, MAX_MESSAGE_LENGTH);
	return { name, displayName: textOrNull(step.displayName), message };
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
	// Up to 0.79 a retried run keeps its old finish time until it ends again (recorded).
	finished: isUnfinished(run.status) ? null : textOrNull(run.finishTime),
	url: recordUrl(source?.baseUrl, 'flowRun', run),
	...orNull(run, 'flowId', 'projectId', 'id'),
});

/** `26 Nov 11:20`, in a time zone */
function timeWords(created: unknown, timeZone: string): string {
	if (Number.isNaN(Date.parse(textOf(created)))) return '';
	const time = tryToParseDateTime(textOf(created), timeZone).setZone(timeZone);
	return time.setLocale('en-US').toFormat('d LLL HH:mm');
}

/**
 * The runs of all projects, or those with one of these statuses. The editor shows about 50 characters of an entry, so
 * the parts that distinguish runs come first and the project's name last.
 */
const runLists = (status?: string[]): ProjectLists => ({
	request: { ...LIST_RUNS, query: { ...(status && { status }) } },
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
		"The run to retry. The list shows failed runs by project, newest first. Times are in the workflow's time zone.",
	required: true,
	page: 'flowRun',
	searchMethod: 'searchFlowRuns',
	sources: runLists(FAILED_STATUSES),
};

export const anyRunLocator: Locator = {
	...flowRunLocator,
	description:
		"The run to get. The list shows the runs by project, newest first. Times are in the workflow's time zone.",
	searchMethod: 'searchAllFlowRuns',
	sources: runLists(),
};

export const waitingRunLocator: Locator = {
	...flowRunLocator,
	description:
		"The run to cancel. The list shows paused and queued runs by project, newest first. Times are in the workflow's time zone.",
	searchMethod: 'searchWaitingFlowRuns',
	sources: runLists(WAITING_STATUSES),
};
