import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../../descriptions/output';
import type { ApiRequest, Endpoint } from '../../transport/client/request';
import { recordUrl } from '../../descriptions/recordUrl';
import { shorten } from '../../transport/text';
import { orNull, recordOf, textOrNull } from '../../transport/values';
import { projectNameOf } from '../project/projectNames';
import { stepsOfLog } from './runLog';
import { hasFailed, isUnfinished } from './runStatus';
import { stepError } from './stepError';

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
	// 0.73 has the message in the steps only. 0.85 and later shorten a long one in the failed step; a run that
	// is read by ID has it complete in its steps (recorded).
	const short = textOrNull(step.message);
	const isShortened = short === null || short.endsWith('…');
	const error = stepError(isShortened ? (loggedMessage(run, name) ?? short) : short);
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
	// Up to 0.79 a retried run keeps the finish time of its first attempt (recorded).
	finished: isUnfinished(run.status) ? null : textOrNull(run.finishTime),
	url: recordUrl(source?.baseUrl, 'flowRun', run),
	...orNull(run, 'flowId', 'projectId', 'id'),
});
