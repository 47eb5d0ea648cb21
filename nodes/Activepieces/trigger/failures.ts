/* Failures of polls: what n8n is told of them, and whether the next poll may succeed by itself. */
import type { NodeApiError } from 'n8n-workflow';

import { ActivepiecesError, ValidationError } from '../transport/errors/error';
import { MAX_NAMED } from '../transport/texts';
import type { UnreadPart } from './event';

type Failure = NonNullable<NodeApiError['failure']>;

/** Whether the next poll may succeed without anything that a person does. */
export const isTemporaryCause = (cause?: Failure['cause']): boolean =>
	cause === 'rate-limited' || cause === 'temporarily-unavailable';

/** Why a poll failed, in n8n's terms; undefined if n8n has none for it. */
export function failureOf(error: unknown): Failure | undefined {
	if (error instanceof ValidationError) return { cause: 'configuration-invalid' };
	const cause = error instanceof ActivepiecesError ? error.n8nCause : undefined;
	if (cause === undefined) return undefined;
	const { retryAfterMs } = error as ActivepiecesError;
	return isTemporaryCause(cause) ? { cause, retryAfterMs } : { cause };
}

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

function describeUnread(unread: UnreadPart[]): string {
	const others = unread.length - MAX_NAMED;
	const sentences = unread
		.slice(0, MAX_NAMED)
		.map((each) => `${each.label} cannot be read: ${each.reason.message}.`);
	return [...sentences, ...(others > 0 ? [`${others} more cannot be read.`] : [])].join(' ');
}

/** The error for parts that a poll could not read while it could read others. */
export const unreadError = (unread: UnreadPart[]): ActivepiecesError =>
	// Without a status, because n8n would slow down the polls of everything else as well.
	new ActivepiecesError({
		message: `${describeUnread(unread)} The trigger still reads everything else, and returns the missing events when it can read them again.`,
		description: unread[0].reason.description,
	});
