import type { IDataObject } from 'n8n-workflow';

import type { Endpoint } from '../../transport/endpoint';
import type { ApiRequest } from '../../transport/request';

export const listEndpoint: Endpoint = { method: 'GET', path: '/v1/flow-runs' };

/**
 * The request for a project's runs, newest first. They are production runs; archived ones are left out:
 * 0.73 has to be told so, and later releases do it by themselves and ignore the parameter (recorded).
 *
 * @param labels display names of the fields by query parameter
 */
export const runsRequest = (query: IDataObject, labels?: Record<string, string>): ApiRequest => ({
	...listEndpoint,
	query: { ...query, archived: false },
	subject: { noun: 'flow runs', labels },
});
