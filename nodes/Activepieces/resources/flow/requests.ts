import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

/** The flows of a project, each with its latest version */
export const LIST_FLOWS: ApiRequest = {
	method: 'GET',
	path: '/v1/flows',
	// Observed on 0.73: one flow without a published version spoils the whole list.
	means: { missingVersion: 'cannotListVersions' },
	subject: { noun: 'flows' },
};

/** A flow with its latest version, which is a draft after an edit (recorded) */
export const GET_FLOW: Endpoint = { method: 'GET', path: '/v1/flows/{id}' };

/** Every change of a flow is a POST that names it. */
export const CHANGE_FLOW: Endpoint = { method: 'POST', path: '/v1/flows/{id}' };

export const CREATE_FLOW: Endpoint = { method: 'POST', path: '/v1/flows' };

/** Deletes the runs of the flow with it (recorded) */
export const DELETE_FLOW: Endpoint = { method: 'DELETE', path: '/v1/flows/{id}' };

/** The webhook that every flow has. It is public: nothing of the credential belongs there. */
export const RUN_FLOW: Endpoint = { method: 'POST', path: '/v1/webhooks/{id}' };
