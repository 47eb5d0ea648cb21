import { isStatus } from '../../transport/http/httpStatus';
import { type ApiResponse, isRecordUnknown } from '../../transport/http/response';
import { plainText, unended } from '../../transport/text';
import { textOf } from '../../transport/values';
import { type Condition, type ResponseRule, when } from '../../transport/errors/rule';
import { keysRefused, signInInstead } from '../refusals';

const isPieceMissing: Condition<ApiResponse> = ({ status, message = '' }) =>
	isStatus(status, 'notFound') && message.startsWith('piece_metadata_not_found');

const isValueRefused: Condition<ApiResponse> = ({ status, code }) =>
	isStatus(status, 'badRequest') && code === 'INVALID_APP_CONNECTION';

const isProjectMissing: Condition<ApiResponse> = ({ status, params }) =>
	isStatus(status, 'notFound') && params.entityType === 'Project';

/** For connections, whose values a worker checks with their piece (recorded) */
export const CONNECTION_VALUE_RULES: ResponseRule[] = [
	when([isPieceMissing], () => ({
		message: 'The piece is not installed on this Activepieces server',
		description: 'Choose a piece from the list in Piece, or install it in Activepieces.',
	})),
	when([isValueRefused], (_words, { params }) => ({
		message: 'Activepieces did not accept the values of the connection',
		description: `Activepieces says: ${unended(plainText(textOf(params.error), 200))}. Check Type and the fields below it.`,
	})),
];

/** For global connections, whose requests name several projects */
export const UNKNOWN_PROJECTS: ResponseRule = when([isProjectMissing], () => ({
	message: 'One of the projects was not found',
	description:
		'Choose the projects from the list. One of them may have been deleted, or may belong to another Activepieces platform.',
}));

/**
 * How releases up to 0.73 refuse a key for any connection: the text is that of the service's framework
 * (recorded).
 */
export const isConnectionKeyRefused = (response: ApiResponse): boolean =>
	response.code === undefined && isRecordUnknown(response);

/** @param change for example "deleted" */
export const keyRefused = (change: string) =>
	keysRefused(`connections cannot be ${change}`, signInInstead(' for a user in the project'));

export const CONNECTION_WITHOUT_KEYS: ResponseRule = when([isConnectionKeyRefused], () =>
	keyRefused('changed'),
);
