import { isStatus } from '../http/httpStatus';
import { rowOf } from '../http/verdict';
import { capitalize } from '../text';
import type { Rule } from './rule';
import type { Words } from './words';

/* A list was not read to its end. */

export type IncompleteReason =
	/** Pages were repeated: for a cursor that the service does not know, it silently returns the first page */
	| 'repeatedPages'
	| 'tooManyRecords'
	/** The service left out records, and a larger page did not contain them */
	| 'missingRecords';

export interface ListFacts {
	kind: IncompleteReason;
	count?: number;
	most?: number;
}

type Text = Rule<ListFacts>['text'];

const stopped =
	(message: (noun: string) => string): Text =>
	({ noun }, { count }) => ({
		message: message(noun),
		description: `The node stopped after ${count} records. Check that nothing in front of Activepieces, such as a proxy or a cache, changes or repeats its responses.`,
	});

export const LIST_TEXTS: Record<IncompleteReason, Text> = {
	tooManyRecords: ({ noun, fewerRecords }, { count, most }) => ({
		message: `There are more ${noun} than the node reads at once (${most})`,
		description: `${capitalize(fewerRecords ?? `the node stopped after ${count} records`)}.`,
	}),
	repeatedPages: stopped((noun) => `The server repeats pages of the list of ${noun}`),
	missingRecords: stopped((noun) => `The server leaves records out of the list of ${noun}`),
};

/** Added to the description when the request is for one of several projects */
export function projectNote({ container, project, leaveOut }: Words, status?: number): string {
	// A key applies to all projects.
	if (isStatus(status, 'unauthorized')) return '';
	if (status === undefined || rowOf(status).scope !== 'list')
		return ` The error occurred while reading the project ${project}.`;
	// A plan applies to all projects as well.
	const mayLeaveOut = (container?.of ?? 1) > 1 && !isStatus(status, 'paymentRequired');
	const hint = mayLeaveOut && leaveOut !== undefined ? ` ${leaveOut}` : '';
	return ` The error occurred in the project ${project}.${hint}`;
}
