import { ActivepiecesError, AuthenticationError, ValidationError } from './activepiecesError';
import type { ConnectionErrorKind } from './connectionError';

/**
 * Wrong key, too many requests, no server behind the proxy. Not 500 and 504: one list that is spoilt or
 * large gives them, such as one with a row that cannot be decrypted.
 */
const STATUSES = [401, 407, 429, 502, 503];

/** Not a time-out and not a cut connection, for the same reason. */
const CONNECTION_ERRORS: ConnectionErrorKind[] = [
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
		STATUSES.includes(httpStatus) ||
		(connectionError !== undefined && CONNECTION_ERRORS.includes(connectionError))
	);
}
