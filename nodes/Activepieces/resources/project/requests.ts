import type { Endpoint } from '../../transport/request/endpoint';

/** Missing in Enterprise up to 0.73 and in Community up to 0.76 (recorded, read in the service's source). */
export const GET_PROJECT: Endpoint = { method: 'GET', path: '/v1/projects/{id}' };

/** Community has it from 0.80 on, for one team project (recorded). */
export const CREATE_PROJECT: Endpoint = {
	method: 'POST',
	path: '/v1/projects',
	feature: 'team projects',
	means: { planFeature: 'planProjects', planLimit: 'planProjects' },
};

export const UPDATE_PROJECT: Endpoint = { method: 'POST', path: '/v1/projects/{id}' };

/** Also deletes the flows, runs and connections of the project (recorded). */
export const DELETE_PROJECT: Endpoint = {
	method: 'DELETE',
	path: '/v1/projects/{id}',
	feature: 'team projects',
};
