import { differencesFrom } from '../../contract/recordSchemas';
import { markdownTable } from '../../markdownTable';

/** The outcome of one check, as the table shows it */
const MARKS = {
	works: '✓ works',
	/** The plan, the edition or the role of the user lacks it */
	lacks: '– lacks',
	/** There was nothing to try it with, or it would change records of others */
	'not tried': '· not tried',
	wrong: '✗ wrong',
};

/** The result of a check, in words suitable for a bug report. */
export interface Finding {
	result: keyof typeof MARKS;
	details: string;
}

export interface Outcome extends Finding {
	/** For example "Flow → Get Many" */
	name: string;
	requests: number;
	ms: number;
}

/** Something that a check expected and did not find, without names. */
export class Mismatch extends Error {}

/** Why there is nothing to check. */
export class NotTried extends Error {}

export const plural = (count: number, noun: string): string =>
	`${count} ${count === 1 ? noun : noun.replace(/y$/, 'ie') + 's'}`;

/** @throws Mismatch when a value appears more than once; a record may have no ID */
export function expectOnce(values: unknown[], what: string): void {
	const there = values.filter((value) => value !== undefined);
	if (new Set(there).size < there.length) throw new Mismatch(`The same ${what} was returned twice`);
}

/**
 * @returns fields that the contract does not have
 * @throws Mismatch when records differ from the contract
 */
export function expectContract(schema: string, records: unknown[]): string[] {
	const { wrong, unknown } = differencesFrom(schema, records);
	if (wrong.length === 0) return unknown;
	throw new Mismatch(`The response differs from the contract: ${wrong.join('; ')}`);
}

/** The outcomes as a Markdown table, whose last column is not aligned, because a message may be long. */
export function table(outcomes: Outcome[]): string {
	const head = ['What', 'Result', 'Requests', 'ms'];
	const rows = outcomes.map((each) => [each.name, MARKS[each.result], each.requests, each.ms]);
	// A cell may contain any text of a message.
	const cells = outcomes.map(({ details }) => details.replace(/\s+/g, ' ').replaceAll('|', '\\|'));
	const details = ['Details', '-------', ...cells];
	const lines = markdownTable([head, ...rows.map((row) => row.map(String))]).split('\n');
	return lines.map((line, row) => `${line} ${details[row]} |`).join('\n');
}

export function summary(outcomes: Outcome[]): string {
	const count = (wanted: Finding['result']) =>
		outcomes.filter(({ result }) => result === wanted).length;
	return `${count('works')} work, ${count('lacks')} not offered by the plan, the edition or the role, ${count('not tried')} not tried, ${count('wrong')} wrong.`;
}
