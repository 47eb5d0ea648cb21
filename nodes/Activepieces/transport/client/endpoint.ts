import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { StatusName } from '../http/httpStatus';
import { type ResponseRule, SIGN_IN_RULES } from '../errors/responseMessages';

/** Where other releases or editions have an endpoint. */
interface OtherPath {
	path: string;
	query?: IDataObject;
	/** Whether this path is requested first, because the contract's path exists there with another meaning */
	isTriedFirst?: boolean;
	/** The status that servers without this path return: they read its last segment as an ID (recorded) */
	absentStatus?: StatusName;
	/**
	 * Whether it is also requested when a session for one project is refused, because its user has no admin role
	 */
	alsoIfForbidden?: boolean;
}

/** A method and path of the API, as in the contract: `/v1/folders/{id}`. */
export interface Endpoint {
	method: IHttpRequestMethods & ('GET' | 'POST' | 'DELETE');
	path: string;
	otherPath?: OtherPath;
	/**
	 * Whether a list continues at the time of its last record, which `createdBefore` includes to the
	 * millisecond, because its cursor loses the rest of a second (recorded)
	 */
	continuesByTime?: boolean;
	/** Whether the response may contain another record than the one in the request */
	mayReturnNewRecord?: boolean;
	/** What responses mean at this endpoint, in front of what they mean at any */
	rules?: ResponseRule[];
	/** Feature of a plan that messages name for a 402 and a 404, for example "global connections" */
	feature?: string;
}

export const SIGN_IN: Endpoint = {
	method: 'POST',
	path: '/v1/authentication/sign-in',
	rules: SIGN_IN_RULES,
};
