import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { StatusName } from './httpStatus';
import type { ResponseKind } from './messages';

/** Where other releases or editions have an endpoint. */
interface MovedTo {
	path: string;
	query?: IDataObject;
	/** Whether this path is requested first, because the contract's path exists there with another meaning */
	isFirst?: boolean;
	/** The status that servers without this path return: they read its last segment as an ID (recorded) */
	absentStatus?: StatusName;
	/**
	 * Whether it is also requested when a session for one project is refused, because its user has no admin role
	 */
	isForOwnProject?: boolean;
}

/** A method and path of the API, as in the contract: `/v1/folders/{id}`. */
export interface Endpoint {
	method: IHttpRequestMethods & ('GET' | 'POST' | 'DELETE');
	path: string;
	movedTo?: MovedTo;
	/** Whether the response may contain another record than the one in the request */
	mayReturnNewRecord?: boolean;
	/** Kinds of responses that have another meaning at this endpoint */
	means?: Partial<Record<ResponseKind, ResponseKind>>;
	/** Whether some releases pass on responses of the vendor's Cloud */
	mayHandOnCloud?: boolean;
	/** Feature of a plan that messages name for a 402 and a 404, for example "global connections" */
	feature?: string;
}

/** The words for a request in messages. */
export interface RequestSubject {
	/** The requested record or records, for example "folder" or "flows" */
	noun: string;
	/** Display name of the field with the record, for example "Folder" */
	field?: string;
	/** Display names of the fields, keyed by query parameter */
	labels?: Record<string, string>;
	/** The new name of the record */
	newName?: string;
	/** What may delay the response */
	delayedBy?: string;
	/** What contains the record, if a person named it by ID, for example the project of flows */
	within?: {
		noun: string;
		id: string;
		name?: string;
		/** How many of them are read; undefined when the person named this one */
		of?: number;
	};
}

export const SIGN_IN: Endpoint = { method: 'POST', path: '/v1/authentication/sign-in' };
