import { markdownTable } from '../markdownTable';
import type { Outcome, Result } from './outcome';

const MARKS: Record<Result, string> = {
	works: '✓ works',
	lacks: '– lacks',
	'not tried': '· not tried',
	wrong: '✗ wrong',
};

/** A cell may hold anything that a message says. */
const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

/** The outcomes as a Markdown table, whose last column is not aligned, since a message may be long. */
export function table(outcomes: Outcome[]): string {
	const aligned = markdownTable([
		['What', 'Result', 'Requests', 'ms'],
		...outcomes.map(({ name, result, requests, ms }) => [
			cell(name),
			MARKS[result],
			String(requests),
			String(ms),
		]),
	]);
	const details = ['Details', '-------', ...outcomes.map((outcome) => cell(outcome.details))];
	return aligned
		.split('\n')
		.map((line, row) => `${line} ${details[row]} |`)
		.join('\n');
}

/** One sentence on all of them. */
export function summary(outcomes: Outcome[]): string {
	const count = (result: Result) => outcomes.filter((each) => each.result === result).length;
	return `${count('works')} work, ${count('lacks')} not offered by the plan, the edition or the role, ${count('not tried')} not tried, ${count('wrong')} wrong.`;
}
