import type { Endpoint } from '../../transport/request/endpoint';
import type { ApiRequest } from '../../transport/request/request';

export const LIST_FOLDERS: ApiRequest = {
	method: 'GET',
	path: '/v1/folders',
	subject: { noun: 'folders' },
};

/** Returns a folder with the number of its flows. */
export const GET_FOLDER: Endpoint = { method: 'GET', path: '/v1/folders/{id}' };

export const CREATE_FOLDER: Endpoint = { method: 'POST', path: '/v1/folders' };

/** The service updates by POST; PATCH and PUT are unknown routes. */
export const UPDATE_FOLDER: Endpoint = { method: 'POST', path: '/v1/folders/{id}' };

export const DELETE_FOLDER: Endpoint = { method: 'DELETE', path: '/v1/folders/{id}' };
