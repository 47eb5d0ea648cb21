/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- writes for people at a terminal; run in Node, never inside n8n */

/** What it took to run one workflow. */
export interface Cost {
	requests: number;
	ms: number;
}

type Row = Record<string, string | number>;

const WIDTH = 100;
const COST_COLUMN = 72;

const coloured = process.stdout.isTTY === true && !process.env.NO_COLOR;
const style = (code: number) => (text: string) =>
	coloured && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text;
export const bold = style(1);
export const dim = style(2);
const green = style(32);
const red = style(31);

export const count = (n: number): string => n.toLocaleString('en-US');

export const duration = (ms: number): string =>
	ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;

export const requests = (n: number): string => `${count(n)} ${n === 1 ? 'request' : 'requests'}`;

export function line(text = ''): void {
	console.log(text);
}

/** Prints what a part is about, and the choices a person makes in the node for it. */
export function heading(title: string, choices: string): void {
	line(`\n${bold(title)}  ${dim(choices)}`);
}

/** Prints a checked result, with what it took in columns of its own. */
export function result(text: string, cost?: Cost): void {
	const took = cost
		? `${requests(cost.requests).padStart(12)}${duration(cost.ms).padStart(10)}`
		: '';
	line(`  ${green('✓')} ${took ? text.padEnd(COST_COLUMN) : text}${dim(took)}`);
}

/** Prints rows under the names of their columns; numbers are aligned to the right. */
export function table(rows: Row[]): void {
	const columns = Object.keys(rows[0]).map((name) => {
		const cells = rows.map((row) => String(row[name]));
		const width = Math.max(name.length, ...cells.map((cell) => cell.length));
		const right = rows.some((row) => typeof row[name] === 'number');
		return { name, fit: (text: string) => (right ? text.padStart(width) : text.padEnd(width)) };
	});
	const lineOf = (text: (name: string) => string) =>
		`    ${columns.map(({ name, fit }) => fit(text(name))).join('   ')}`.trimEnd();
	line(dim(lineOf((name) => name)));
	for (const row of rows) line(lineOf((name) => String(row[name])));
}

/** Prints a small remark under a table. */
export function remark(text: string): void {
	line(dim(`    ${text}`));
}

/** Prints running text, broken between words. */
export function paragraph(text: string, indent = ''): void {
	let current = indent;
	for (const word of text.split(' ')) {
		if (current.length + 1 + word.length > WIDTH && current.trim() !== '') {
			line(current);
			current = indent;
		}
		current += `${current.trim() === '' ? '' : ' '}${word}`;
	}
	line(current);
}

/** Prints why the demo stopped. */
export function failure(text: string): void {
	console.error(`\n${red('✗')} ${text}`);
}
