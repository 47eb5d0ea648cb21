import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

/** Lists the flows of a project, each with its latest version. */
export const LIST_FLOWS: ApiRequest = {
	method: 'GET',
	path: '/v1/flows',
	// In 0.73 a single flow without a published version makes the whole list fail (observed).
	means: { missingVersion: 'cannotListVersions' },
	subject: { noun: 'flows' },
};

/** Returns a flow with its latest version, which is a draft after an edit (recorded). */
export const GET_FLOW: Endpoint = { method: 'GET', path: '/v1/flows/{id}' };

/** Every change of a flow is a POST to this path. */
export const CHANGE_FLOW: Endpoint = { method: 'POST', path: '/v1/flows/{id}' };

export const CREATE_FLOW: Endpoint = { method: 'POST', path: '/v1/flows' };

/** Also deletes the runs of the flow (recorded). */
export const DELETE_FLOW: Endpoint = { method: 'DELETE', path: '/v1/flows/{id}' };

/** The webhook of a flow, which every flow has. It is public and receives nothing of the credential. */
export const RUN_FLOW: Endpoint = { method: 'POST', path: '/v1/webhooks/{id}' };
