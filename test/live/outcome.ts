/** What became of one check. */
export type Result =
	| 'works'
	/** The plan, the edition or the role of the user lacks it */
	| 'lacks'
	/** There was nothing to try it on, or it would change what is not this command's */
	| 'not tried'
	| 'wrong';

export interface Outcome {
	/** For example "Flow → Get Many" */
	name: string;
	result: Result;
	/** In words fit for a bug report */
	details: string;
	requests: number;
	ms: number;
}

/** What a check found, before it is known how long it took. */
export type Finding = Pick<Outcome, 'result' | 'details'>;

export const notTried = (details: string): Finding => ({ result: 'not tried', details });

/** Something that a check expected and did not find, in words without names. */
export class Mismatch extends Error {}

export const plural = (count: number, noun: string): string =>
	`${count} ${count === 1 ? noun : noun.replace(/y$/, 'ie') + 's'}`;

/** @throws Mismatch when a value comes more than once; a record may have no id */
export function expectOnce(values: unknown[], what: string): void {
	const there = values.filter((value) => value !== undefined);
	if (new Set(there).size < there.length) throw new Mismatch(`The same ${what} came twice`);
}
