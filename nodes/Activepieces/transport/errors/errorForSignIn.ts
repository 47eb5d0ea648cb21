import type { Attempts } from '../attempts';
import { CREDENTIALS } from '../credential/names';
import { SIGN_IN } from '../credential/signIn';
import { isRecord } from '../isRecord';
import { type ApiResponse, isSuccess } from '../response';
import type { AttemptResult } from '../retry';
import { AuthenticationError } from './activepiecesError';
import { ADVICE } from './advice';
import { errorForConnection } from './errorForConnection';
import { errorForResponse } from './errorForResponse';
import type { ErrorContext, UserMessage } from './userMessage';
import { withAttempts } from './withAttempts';

type SignInContext = Pick<ErrorContext, 'baseUrl' | 'method' | 'place' | 'proxyHost'>;

interface Rule {
	when: (response: ApiResponse) => boolean;
	message: (context: SignInContext) => UserMessage;
}

const is =
	(status: number, ...codes: string[]) =>
	(response: ApiResponse): boolean =>
		response.status === status && codes.includes(response.code ?? '');

const askAdmin = (action: string): string =>
	`Ask an admin of the Activepieces platform to ${action}, or sign in as another user.`;

/** What signing in is refused with (recorded, and read in the service's source). The first rule that fits is used. */
const RULES: Rule[] = [
	{
		when: is(401, 'INVALID_CREDENTIALS'),
		message: ({ baseUrl }) => ({
			message: 'Activepieces does not accept the email and password',
			description: `Check Email and Password in the credential. They were sent to ${baseUrl}, the Base URL.`,
		}),
	},
	{
		// The service looks at their form before it looks for the user (recorded).
		when: is(400, 'FST_ERR_VALIDATION'),
		message: ({ baseUrl }) => ({
			message: 'Activepieces does not accept the email and password',
			description: `Check Email and Password in the credential: Email has to be a whole address, and a password of Activepieces has at least 8 characters. They were sent to ${baseUrl}, the Base URL.`,
		}),
	},
	{
		when: is(403, 'USER_IS_INACTIVE'),
		message: () => ({
			message: 'The Activepieces user is deactivated',
			description: askAdmin('activate the user'),
		}),
	},
	{
		when: is(403, 'EMAIL_IS_NOT_VERIFIED'),
		message: ({ place }) => ({
			message: 'The email address of the Activepieces user is not verified',
			description: `Open the link in the email that Activepieces sent. ${ADVICE[place].again}.`,
		}),
	},
	{
		when: is(403, 'EMAIL_AUTH_DISABLED'),
		message: () => ({
			message: 'The Activepieces platform allows single sign-on only',
			description:
				'Passwords are turned off on it. Use an API key instead, in a credential of type Activepieces API.',
		}),
	},
	{
		when: is(403, 'DOMAIN_NOT_ALLOWED'),
		message: () => ({
			message: 'The Activepieces platform does not allow this email domain',
			description: askAdmin('allow the domain'),
		}),
	},
	{
		when: is(403, 'INVITATION_ONLY_SIGN_UP'),
		message: () => ({
			message: 'The Activepieces user has no project',
			description: askAdmin('invite the user to a project'),
		}),
	},
	{
		// 0.73 and 0.79 refuse a user without a platform; later ones give a session that opens nothing.
		when: (response) =>
			is(401, 'AUTHENTICATION')(response) ||
			(isSuccess(response) && isRecord(response.body) && response.body.platformId === null),
		message: () => ({
			message: 'The Activepieces user is on no platform yet',
			description:
				'Sign in to Activepieces in a browser once to finish signing up, or get an invitation.',
		}),
	},
	{
		when: ({ status }) => status === 429,
		message: ({ place }) => ({
			message: 'Activepieces is receiving too many sign-ins',
			description: `It allows 50 a minute, for all users behind one address together. ${ADVICE[place].again} after a minute.`,
		}),
	},
];

/**
 * The error for a sign-in that gave no session.
 *
 * @param context of the request behind it
 */
export function errorForSignIn(
	result: AttemptResult,
	signInContext: SignInContext,
	attempts?: Attempts,
): AuthenticationError {
	const { baseUrl, method, place, proxyHost } = signInContext;
	// Nothing of the request behind it, which was not sent.
	const context: ErrorContext = {
		...SIGN_IN,
		baseUrl,
		place,
		proxyHost,
		noun: 'session',
		credentialName: CREDENTIALS.signIn,
	};
	if ('connectionError' in result) {
		const { connectionError } = result;
		const reason = errorForConnection(connectionError, context);
		return new AuthenticationError(withAttempts(reason, method, attempts), {
			connectionError: connectionError.kind,
		});
	}
	const { response } = result;
	const rule = RULES.find(({ when }) => when(response));
	const message = rule?.message(signInContext) ?? errorForResponse(response, context);
	return new AuthenticationError(withAttempts(message, method, attempts), {
		status: response.status,
		isRouteMissing: false,
		retryAfterMs: response.retryAfterMs,
	});
}
