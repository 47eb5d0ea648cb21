import type { NodeApiError } from 'n8n-workflow';

import { ActivepiecesError, ValidationError } from '../transport/error';
import type { ConnectionErrorKind } from '../transport/connectionError';
import { isServerError, isStatus, transienceOf } from '../transport/httpStatus';

/** n8n's own categories of failed polls, by which newer releases wait or inform the person. */
export type Failure = NonNullable<NodeApiError['failure']>;

/** Kinds that a person has to fix; all others are temporary. */
const LASTING_CONNECTION_ERRORS: ConnectionErrorKind[] = [
	'tlsProtocol',
	'tooLarge',
	'undecodable',
	'untrustedCertificate',
];

function failureOfStatus(status: number, retryAfterMs?: number): Failure {
	if (isStatus(status, 'tooManyRequests')) return { cause: 'rate-limited', retryAfterMs };
	if (isServerError(status) || transienceOf(status) !== undefined) {
		return { cause: 'temporarily-unavailable', retryAfterMs };
	}
	if (isStatus(status, 'unauthorized', 'forbidden')) return { cause: 'credential-invalid' };
	return { cause: 'configuration-invalid' };
}

/** The category of a failed poll; undefined when it is unknown. */
export function failureOf(error: unknown): Failure | undefined {
	if (!(error instanceof ActivepiecesError)) return undefined;
	const { httpStatus, connectionError, retryAfterMs } = error;
	if (connectionError !== undefined) {
		return LASTING_CONNECTION_ERRORS.includes(connectionError)
			? { cause: 'configuration-invalid' }
			: { cause: 'temporarily-unavailable' };
	}
	if (error instanceof ValidationError) return { cause: 'configuration-invalid' };
	return httpStatus === undefined ? undefined : failureOfStatus(httpStatus, retryAfterMs);
}

/** Whether the next poll may succeed without anyone doing anything. */
export function isTemporary(error: unknown): boolean {
	const cause = failureOf(error)?.cause;
	return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}

/** What to do about a server that takes long */
const READ_LESS =
	'The server may be slow. To make each poll read less, choose a project or a flow in the trigger, or decrease Lookback (Hours), if the trigger has these fields.';

/**
 * The error for what took too long. It counts as a server that does not respond, which usually is the reason.
 */
export const timeLimitError = (what: string, ms: number): ActivepiecesError =>
	new ActivepiecesError(
		{ message: `${what} within ${Math.ceil(ms / 60_000)} minutes`, description: READ_LESS },
		{ connectionError: 'timeout' },
	);
