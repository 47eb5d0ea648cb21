import type { Outcome, Result } from './outcome';

const MARKS: Record<Result, string> = {
	works: '✓ works',
	lacks: '– lacks',
	'not tried': '· not tried',
	wrong: '✗ wrong',
};

const HEADINGS = ['What', 'Result', 'Requests', 'ms', 'Details'];

/** A cell may hold anything that a message says. */
const cell = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('|', '\\|');

/** The outcomes as a Markdown table, which reads well in a terminal, too. */
export function table(outcomes: Outcome[]): string {
	const rows = outcomes.map(({ name, result, requests, ms, details }) =>
		[name, MARKS[result], String(requests), String(ms), details].map(cell),
	);
	// The last column is not padded, since a message may be long.
	const widths = HEADINGS.map((heading, column) =>
		column === HEADINGS.length - 1
			? heading.length
			: Math.max(heading.length, ...rows.map((row) => row[column].length)),
	);
	const isNumber = (column: number) => column === 2 || column === 3;
	const line = (row: string[]) =>
		`| ${row.map((text, column) => (isNumber(column) ? text.padStart(widths[column]) : text.padEnd(widths[column]))).join(' | ')} |`;
	const rule = `| ${widths.map((width, column) => (isNumber(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
	return [line(HEADINGS), rule, ...rows.map(line)].join('\n');
}

/** One sentence on all of them. */
export function summary(outcomes: Outcome[]): string {
	const count = (result: Result) => outcomes.filter((each) => each.result === result).length;
	return `${count('works')} work, ${count('lacks')} not offered by the plan, the edition or the role, ${count('not tried')} not tried, ${count('wrong')} wrong.`;
}
