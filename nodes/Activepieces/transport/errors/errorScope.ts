import { ActivepiecesError, AuthenticationError, ValidationError } from './activepiecesError';
import type { ConnectionErrorKind } from './connectionError';
import { isOfOneList, isOfServer, isStatus } from '../httpStatus';

/** Whether this one list cannot be read, while others of the same server can. */
export const isListRefused = (error: unknown): error is ActivepiecesError =>
	error instanceof ActivepiecesError &&
	!(error instanceof AuthenticationError) &&
	isOfOneList(error.httpStatus);

/** Not a time-out and not a cut connection: one list that is spoilt or long brings them, too. */
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
	const { connectionError, httpStatus } = error;
	return (
		error instanceof AuthenticationError ||
		error instanceof ValidationError ||
		isOfServer(httpStatus) ||
		(connectionError !== undefined && CONNECTION_ERRORS_OF_SERVER.includes(connectionError))
	);
}

/**
 * The reason to tell when none of several lists could be read: what is wrong with the request itself is that of all,
 * whatever else one of them has.
 */
export const commonReason = (reasons: ActivepiecesError[]): ActivepiecesError =>
	reasons.find(({ httpStatus }) => isStatus(httpStatus, 'badRequest')) ?? reasons[0];
