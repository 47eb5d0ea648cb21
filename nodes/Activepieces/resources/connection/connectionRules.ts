import { labelOfValue } from '../../descriptions/fields';
import { isStatus } from '../../transport/http/httpStatus';
import { type ApiResponse, isRecordUnknown } from '../../transport/http/response';
import { plainText, unended } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import { type Condition, hasCode, type ResponseRule, when } from '../../transport/errors/rule';
import { keysRefused, signInInstead } from '../refusals';
import { pieceMissing } from './piece';

const isPieceMissing: Condition<ApiResponse> = ({ status, message = '' }) =>
	isStatus(status, 'notFound') && message.startsWith('piece_metadata_not_found');

const isValueRefused: Condition<ApiResponse> = ({ status, code }) =>
	isStatus(status, 'badRequest') && code === 'INVALID_APP_CONNECTION';

/** What the worker says: a sentence, or nothing. */
const reasonOf = ({ params }: ApiResponse): string => {
	const text = unended(plainText(textOf(params.error), 200));
	return text && `Activepieces says: ${text}. `;
};

/** The type that a piece needs, in the text with which the worker refuses another one (recorded). */
const typeNeeded = (text: unknown): string | undefined =>
	/piece auth type: (\w+) !== /.exec(textOf(text))?.[1];

const isTypeRefused: Condition<ApiResponse> = (response, words) =>
	isValueRefused(response, words) && typeNeeded(response.params.error) !== undefined;

const isProjectMissing: Condition<ApiResponse> = ({ status, params }) =>
	isStatus(status, 'notFound') && params.entityType === 'Project';

/** For connections, whose values a worker checks with their piece (recorded) */
export const CONNECTION_VALUE_RULES: ResponseRule[] = [
	when([isPieceMissing], ({ body }) => {
		const [message, description] = pieceMissing(textOf(recordOf(body).pieceName));
		return { message, description };
	}),
	when([isTypeRefused], (_words, { params }) => ({
		message: 'The piece does not accept a connection of this type',
		description: `It needs ${labelOfValue(typeNeeded(params.error) ?? '')}: change Type. A connection of a type that Type does not have can only be created in Activepieces.`,
	})),
	when([isValueRefused], (_words, response) => ({
		message: 'Activepieces did not accept the values of the connection',
		description: `${reasonOf(response)}Check Type and the fields below it.`,
	})),
	when([hasCode('ENGINE_OPERATION_FAILURE')], (_words, response) => ({
		message: 'Activepieces could not check the values of the connection',
		description: `${reasonOf(response)}Check that the worker can reach the service of the piece. Then check Type and the fields below it.`,
	})),
];

/** For global connections, whose requests name several projects */
export const UNKNOWN_PROJECTS: ResponseRule = when([isProjectMissing], () => ({
	message: 'One of the projects was not found',
	description:
		'Choose the projects from the list. One of them may have been deleted, or may belong to another Activepieces platform. If the connection was shared with a project that has been deleted, set its projects anew: use Update with Project Change set to Replace.',
}));

/**
 * How releases up to 0.73 refuse a key for any connection: the text is that of the service's framework
 * (recorded).
 */
export const isConnectionKeyRefused = (response: ApiResponse): boolean =>
	response.code === undefined && isRecordUnknown(response);

/** @param change for example "deleted" */
export const keyRefused = (change: string) =>
	keysRefused(
		`connections cannot be ${change}`,
		signInInstead(", which can change the connections of the user's personal project"),
	);

export const CONNECTION_WITHOUT_KEYS: ResponseRule = when([isConnectionKeyRefused], () =>
	keyRefused('changed'),
);
