/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- reads and writes a file of the repository, never inside n8n */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from '../harness/environment';
import { columns } from './columns';
import type { Row } from './faults';
import { DURATIONS, type Duration, type Word } from './matrix';

const FILE = join(packageRoot, 'docs', 'faults.md');

type Words = Map<Row, Map<string, Word>>;

function table(rows: Row[], words: Words, duration: Duration): string[] {
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [
		line([`The service answers, ${duration}`, ...columns.map(({ name }) => name)]),
		line(['---', ...columns.map(() => '---')]),
		...rows.map((row) =>
			line([
				row.name + (row.kinds.length > 1 ? ` (${row.kinds.length} forms)` : ''),
				...columns.map(({ name }) => words.get(row)?.get(`${name}, ${duration}`) ?? 'amiss'),
			]),
		),
	];
}

function counts(rows: Row[], words: Words): string {
	const totals: Record<string, number> = {};
	for (const row of rows) {
		for (const word of words.get(row)?.values() ?? []) {
			totals[word] = (totals[word] ?? 0) + row.kinds.length;
		}
	}
	const runs = Object.values(totals).reduce((sum, count) => sum + count, 0);
	const each = ['right', 'retried', 'message'].map((word) => `${totals[word] ?? 0} ${word}`);
	return `${runs} runs: ${each.join(', ')}.`;
}

/**
 * Draws the section of a part of the matrix, and writes it when DRAW_FAULTS is set.
 *
 * @returns the section as drawn, and as the file has it
 */
export function documentSection(
	section: string,
	rows: Row[],
	words: Words,
): { drawn: string; found: string } {
	const begin = `<!-- ${section} -->`;
	const end = `<!-- end of ${section} -->`;
	const drawn = [
		'\n',
		counts(rows, words),
		...DURATIONS.flatMap((duration) => ['', ...table(rows, words, duration)]),
		'\n',
	].join('\n');
	const text = readFileSync(FILE, 'utf8').replaceAll('\r\n', '\n');
	const start = text.indexOf(begin) + begin.length;
	const stop = text.indexOf(end);
	if (process.env.DRAW_FAULTS !== undefined) {
		writeFileSync(FILE, text.slice(0, start) + drawn + text.slice(stop));
		return { drawn, found: drawn };
	}
	return { drawn, found: text.slice(start, stop) };
}
