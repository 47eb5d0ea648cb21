import { ActivepiecesError, AuthenticationError, ValidationError } from './activepiecesError';
import type { ConnectionErrorKind } from './connectionError';

/** A plan without the feature, a role without the right, a project that is gone, a state that forbids it. */
const STATUSES_OF_LIST = [402, 403, 404, 409];

/** Whether this one list cannot be read, while others of the same server can. */
export const isListRefused = (error: unknown): error is ActivepiecesError =>
	error instanceof ActivepiecesError &&
	!(error instanceof AuthenticationError) &&
	STATUSES_OF_LIST.includes(error.httpStatus ?? 0);

/**
 * Wrong key, too many requests, no server behind the proxy. Not 500 and 504: one list that is spoilt or
 * large gives them, such as one with a row that cannot be decrypted.
 */
const STATUSES_OF_SERVER = [401, 407, 429, 502, 503];

/** Not a time-out and not a cut connection, for the same reason. */
const CONNECTION_ERRORS_OF_SERVER: ConnectionErrorKind[] = [
	'unknownHost',
	'connectionRefused',
	'connectTimeout',
	'unreachable',
	'untrustedCertificate',
	'tlsProtocol',
];

/** Whether every other list of the server would fail for the same reason as this one. */
export function isAboutServer(error: unknown): boolean {
	if (!(error instanceof ActivepiecesError)) return true;
	const { connectionError, httpStatus = 0 } = error;
	return (
		error instanceof AuthenticationError ||
		error instanceof ValidationError ||
		STATUSES_OF_SERVER.includes(httpStatus) ||
		(connectionError !== undefined && CONNECTION_ERRORS_OF_SERVER.includes(connectionError))
	);
}
