import { ActivepiecesError } from '../transport/error';
import { limits } from '../transport/limits';
import { someOf } from '../transport/text';
import type { UnreadPart } from './event';

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
	/** Number of consecutive polls that could not read a part, by its ID */
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
	const counts = new Map(unread.map(({ id }) => [id, (before.get(id) ?? 0) + 1]));
	const isLasting = ({ id }: UnreadPart) => (counts.get(id) ?? 0) > limits.triggerToleratedFailures;
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
