import type { UserMessage } from './activepiecesError';
import type { ListKind } from './kinds';

const STOPPED =
	'The node stopped after {count} records. [{fewerPages}|Check that nothing in front of Activepieces, such as a proxy or a cache, changes or repeats its responses].';

/** Texts for lists that cannot be read to their end, in the form that `messages.ts` describes. */
export const LIST_MESSAGES = {
	listElsewhere: {
		message: 'The list of {noun} continues on another server, {otherHost}',
		description:
			'The node sends the credential only to the server in Base URL. Set Base URL in the credential to the URL that the server uses for itself.',
	},
	pageTooLong: {
		message: 'The server returned {count} {noun} at once, more than the node reads ({most})',
		description: 'Check that Base URL in the credential is the URL of the Activepieces API.',
	},
	maxPages: { message: 'The list of {noun} never ends', description: STOPPED },
	repeatedPages: {
		message: 'The server repeats pages of the list of {noun}',
		description: STOPPED,
	},
	emptyPages: {
		message: 'The server returns only empty pages of the list of {noun}',
		description: STOPPED,
	},
	missingRecords: {
		message: 'The server leaves records out of the list of {noun}',
		description: STOPPED,
	},
	tooManyRecords: {
		message: 'There are more {noun} than the node [{perItem}|reads at once] ({most})',
		description: '[{fewerRecords}|The node stopped after {count} records].',
	},
} as const satisfies Record<ListKind, UserMessage>;
