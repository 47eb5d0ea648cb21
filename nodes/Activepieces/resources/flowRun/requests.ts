import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

/**
 * The runs of a project, newest first. They are production runs; archived ones are left out: 0.73 has to be
 * told so, and later releases do it by themselves and ignore the parameter (recorded).
 */
export const LIST_RUNS: ApiRequest = {
	method: 'GET',
	path: '/v1/flow-runs',
	query: { archived: false },
	subject: { noun: 'flow runs' },
};

/** A run with its steps; those of a run without a log are empty (recorded) */
export const GET_RUN: Endpoint = { method: 'GET', path: '/v1/flow-runs/{id}' };

/** On the latest version the answer is a new run (recorded). */
export const RETRY_RUN: Endpoint = {
	method: 'POST',
	path: '/v1/flow-runs/{id}/retry',
	mayAnswerWithNewRecord: true,
	// From the latest version of the flow (recorded).
	means: { missingVersion: 'unpublishedFlow' },
};

/**
 * Cancels the runs that wait of those that the body names. It has to name one: with none the service cancels
 * every run of the project that waits. Whatever it does or does not, it answers 200 (recorded).
 */
export const CANCEL_RUN: Endpoint = { method: 'POST', path: '/v1/flow-runs/cancel' };
