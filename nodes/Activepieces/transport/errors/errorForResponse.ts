import { isRecord } from '../isRecord';
import { type ApiResponse, isSuccess } from '../response';
import { ActivepiecesError } from './activepiecesError';
import { ADVICE } from './advice';
import { RESPONSE_RULES } from './responseRules';
import { baseUrlHint, type ErrorContext, type UserMessage } from './userMessage';
import { withAttempts } from './withAttempts';

/** The message for a response that is not the one asked for. */
function refusalMessage(response: ApiResponse, context: ErrorContext): UserMessage {
	const rules = RESPONSE_RULES;
	const rule = rules.find(({ when }) => when(response, context)) ?? rules[rules.length - 1];
	return rule.message(response, context);
}

/**
 * Where a platform has no templates of its own, releases up to 0.73 hand on what the vendor's cloud
 * answers: that it has no such route, with status 200, or that it was not reached (recorded).
 */
const isHandedOn = ({ status, body, message }: ApiResponse, { noun }: ErrorContext): boolean =>
	noun === 'flow templates' &&
	((status === 200 && isRecord(body) && body.statusCode === 404) ||
		(status === 500 && message === 'fetch failed'));

const handedOnMessage = (): UserMessage => ({
	message: 'This Activepieces server has no custom templates',
	description:
		'The Community edition has none, nor have plans without that feature (Enterprise or a paid cloud plan).',
});

/** What the Community edition has in place of API keys, in words of n8n's dialog for credentials. */
const withoutKeysMessage = (): UserMessage => ({
	message: 'This is the Community edition of Activepieces, which has no API keys',
	description:
		'Create a credential with Sign-In in place of API Key: n8n 2 has the choice at the top right of the dialog, n8n 1 below Connect using. Then enter the email and password of a user.',
});

/** The message for a 2xx response whose body is not what the endpoint promises. */
function unexpectedBodyMessage({ body }: ApiResponse, context: ErrorContext): UserMessage {
	if (typeof body === 'string') {
		return {
			message: `The answer for the ${context.noun} is incomplete or not JSON`,
			description: `The connection may have been cut, or a proxy may have changed the answer. ${ADVICE[context.place].again}.`,
		};
	}
	return {
		message: `The answer for the ${context.noun} does not have the expected form`,
		description: baseUrlHint(context.baseUrl),
	};
}

/** The error for any response that is not the one asked for. */
export function errorForResponse(response: ApiResponse, context: ErrorContext): ActivepiecesError {
	const { attempts, status, isRouteMissing, retryAfterMs } = response;
	const toMessage = response.isWithoutKeys
		? withoutKeysMessage
		: isHandedOn(response, context)
			? handedOnMessage
			: isSuccess(response)
				? unexpectedBodyMessage
				: refusalMessage;
	// A 2xx with a wrong body: `{"ok":true}` of a proxy says nothing of what the service did.
	const isAmbiguous = attempts?.isAmbiguous === true || isSuccess(response);
	return new ActivepiecesError(
		withAttempts(
			toMessage(response, context),
			context.method,
			attempts && { ...attempts, isAmbiguous },
		),
		{ status, isRouteMissing, retryAfterMs, isAmbiguous },
	);
}
