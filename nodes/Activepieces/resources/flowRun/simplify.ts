import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../../descriptions/output';
import { isRecord } from '../../transport/values/isRecord';
import { recordUrl } from '../../transport/recordUrl';
import { isUnfinished } from './statuses';
import { stepMessage } from './stepMessage';

/** In 0.73 null is an empty text (recorded). */
const textOrNull = (value: unknown): string | null =>
	typeof value === 'string' && value !== '' ? value : null;

/**
 * The message of a failed step. 0.73 has it in the steps only. 0.85 and later shorten a long one in the
 * failed step; a run that is read by ID has it complete in its steps (recorded).
 */
function messageOf(step: IDataObject, logged: IDataObject): string | null {
	const message = textOrNull(step.message);
	const whole = textOrNull(logged.errorMessage);
	return stepMessage(message === null || message.endsWith('…') ? (whole ?? message) : message);
}

function failedStep(run: IDataObject): IDataObject | null {
	const step = isRecord(run.failedStep) ? run.failedStep : {};
	const name = textOrNull(step.name);
	if (name === null) return null;
	const steps = isRecord(run.steps) ? run.steps : {};
	const logged = isRecord(steps[name]) ? steps[name] : {};
	return {
		name,
		displayName: textOrNull(step.displayName),
		message: messageOf(step, logged),
	};
}

/** Seconds between start and finish, with milliseconds. */
function durationSeconds(started: string | null, finished: string | null): number | null {
	const milliseconds = Date.parse(finished ?? '') - Date.parse(started ?? '');
	return milliseconds >= 0 ? milliseconds / 1000 : null;
}

/**
 * The fields of a run that a person reads. Missing fields are null. Tags are left out: few runs have
 * any, and the list has a filter for them.
 */
export const simplifyRun: Simplify = (run, source) => {
	const version = isRecord(run.flowVersion) ? run.flowVersion : {};
	const started = textOrNull(run.startTime);
	// Up to 0.79 a retried run keeps the finish time of its first attempt (recorded).
	const finished = isUnfinished(run.status) ? null : textOrNull(run.finishTime);
	return {
		id: run.id ?? null,
		status: run.status ?? null,
		flowName: textOrNull(version.displayName),
		flowId: run.flowId ?? null,
		projectId: run.projectId ?? null,
		failedStep: failedStep(run),
		started,
		finished,
		durationSeconds: durationSeconds(started, finished),
		url: recordUrl(source?.baseUrl, 'flowRun', run),
	};
};
