import type { NodeApiError } from 'n8n-workflow';

import type { ConnectionErrorKind } from '../transport/connectionError';
import { ActivepiecesError, ValidationError } from '../transport/error';
import { isServerError, isStatus, transienceOf } from '../transport/httpStatus';
import { limits } from '../transport/limits';
import { someOf } from '../transport/text';
import type { UnreadPart } from './event';

/** n8n's own categories of failed polls, by which newer releases wait or inform the person. */
type Failure = NonNullable<NodeApiError['failure']>;

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

/** Texts for parts that are tolerated, and for those that are not any more */
const TEXTS = {
	projects: {
		warning: 'The trigger still reads the other projects and returns the missing events later.',
		whatComes:
			'The trigger still returns the events of the other projects, and returns the missing events when it can read them again.',
	},
	others: {
		warning: 'The trigger still reads the projects and returns the missing events later.',
		whatComes:
			'The trigger still returns the events of the projects, and returns the missing events when it can read them again.',
	},
};

const kindOf = (unread: UnreadPart[]): keyof typeof TEXTS =>
	unread.some(({ isProject }) => isProject) ? 'projects' : 'others';

/** Names the parts that cannot be read, and why, up to a maximum number. */
function describeUnread(unread: UnreadPart[]): string {
	const { named, others } = someOf(unread);
	const sentences = named.map((each) => `${each.label} cannot be read: ${each.reason.message}.`);
	return [...sentences, ...(others > 0 ? [`${others} more cannot be read.`] : [])].join(' ');
}

interface UnreadVerdict {
	/** Number of consecutive polls that could not read a part, by its list */
	counts: ReadonlyMap<string, number>;
	/** For n8n's log: the part is still tolerated */
	warning?: string;
	/** For an error execution: the part is not tolerated any more */
	error?: ActivepiecesError;
}

/** Decides what a poll does about parts that it could not read while it could read others. */
export function judgeUnread(
	unread: UnreadPart[],
	before: ReadonlyMap<string, number>,
): UnreadVerdict {
	const counts = new Map(unread.map(({ list }) => [list, (before.get(list) ?? 0) + 1]));
	const isLasting = ({ list }: UnreadPart) =>
		(counts.get(list) ?? 0) > limits.triggerToleratedFailures;
	const verdict: UnreadVerdict = { counts };
	const tolerated = unread.filter((each) => !isLasting(each));
	if (tolerated.length > 0) {
		verdict.warning = `${describeUnread(tolerated)} ${TEXTS[kindOf(tolerated)].warning}`;
	}
	const lasting = unread.filter(isLasting);
	if (lasting.length > 0) {
		// Without a status, because n8n would slow down the polls of the other projects as well.
		verdict.error = new ActivepiecesError({
			message: describeUnread(lasting),
			description: `${lasting[0].reason.description} ${TEXTS[kindOf(lasting)].whatComes}`,
		});
	}
	return verdict;
}
