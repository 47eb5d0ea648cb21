import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/isRecord';

/** A message may be the whole answer of a service; what it begins with tells what happened. */
const MAX_MESSAGE_LENGTH = 300;

/** 0.73 writes null as an empty text (recorded). */
const textOrNull = (value: unknown): string | null =>
	typeof value === 'string' && value !== '' ? value : null;

/** Code steps of 0.85 write the message into JSON, beside a stack trace (recorded). */
function plainMessage(message: string | null): string | null {
	if (message === null || !message.startsWith('{"__apErrorVersion"')) return message;
	try {
		const { message: inner } = JSON.parse(message) as IDataObject;
		return textOrNull(inner) ?? message;
	} catch {
		return message;
	}
}

function shortened(message: string | null): string | null {
	if (message === null || message.length <= MAX_MESSAGE_LENGTH) return message;
	return `${message.slice(0, MAX_MESSAGE_LENGTH - 1)}…`;
}

/**
 * The step that a run failed at. Releases from 0.80 on tell its message; before them it stands in the
 * steps, which only a run that is got by id has (recorded).
 */
function failedStep(run: IDataObject): IDataObject | null {
	const step = isRecord(run.failedStep) ? run.failedStep : {};
	const name = textOrNull(step.name);
	if (name === null) return null;
	const steps = isRecord(run.steps) ? run.steps : {};
	const logged = isRecord(steps[name]) ? steps[name] : {};
	return {
		name,
		displayName: textOrNull(step.displayName),
		message: shortened(plainMessage(textOrNull(step.message) ?? textOrNull(logged.errorMessage))),
	};
}

/** Statuses of a run that is not over. */
const UNFINISHED = ['PAUSED', 'QUEUED', 'RUNNING'];

/** Seconds from start to finish, to the millisecond. */
function durationSeconds(started: string | null, finished: string | null): number | null {
	const milliseconds = Date.parse(finished ?? '') - Date.parse(started ?? '');
	return milliseconds >= 0 ? milliseconds / 1000 : null;
}

/** The fields of a run that a person looks at; absent ones are null. */
export function simplifyRun(run: IDataObject): IDataObject {
	const version = isRecord(run.flowVersion) ? run.flowVersion : {};
	const started = textOrNull(run.startTime);
	// Up to 0.79 a run that is retried keeps the time at which its first attempt ended (recorded).
	const finished = UNFINISHED.includes(String(run.status)) ? null : textOrNull(run.finishTime);
	return {
		id: run.id ?? null,
		flowName: textOrNull(version.displayName),
		flowId: run.flowId ?? null,
		projectId: run.projectId ?? null,
		status: run.status ?? null,
		failedStep: failedStep(run),
		started,
		finished,
		durationSeconds: durationSeconds(started, finished),
		tags: Array.isArray(run.tags) ? run.tags : [],
	};
}
