import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

/**
 * Lists the production runs of a project, newest first. 0.73 needs the parameter to leave out archived
 * runs; later releases always leave them out, and ignore it (recorded).
 */
export const LIST_RUNS: ApiRequest = {
	method: 'GET',
	path: '/v1/flow-runs',
	query: { archived: false },
	subject: { noun: 'flow runs' },
};

/** Returns a run with its steps; without a log they are empty (recorded). */
export const GET_RUN: Endpoint = { method: 'GET', path: '/v1/flow-runs/{id}' };

/** On the latest version the response is a new run (recorded). */
export const RETRY_RUN: Endpoint = {
	method: 'POST',
	path: '/v1/flow-runs/{id}/retry',
	mayReturnNewRecord: true,
	// The retry uses the latest version of the flow (recorded).
	means: { missingVersion: 'unpublishedFlow' },
};

/**
 * Cancels the waiting runs that the body lists. It has to list one: with an empty list the service cancels
 * all waiting runs of the project. It always responds with 200, whether it canceled a run or not (recorded).
 */
export const CANCEL_RUN: Endpoint = { method: 'POST', path: '/v1/flow-runs/cancel' };
