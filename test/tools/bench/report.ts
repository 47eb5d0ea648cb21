/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- reads and writes files for people, never inside n8n */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

import { packageRoot } from '../../e2e/support/folders';
import { markdownTable } from '../../markdownTable';

export interface Options {
	/** Fewer items and fewer rounds */
	quick: boolean;
	/** Number of measurements of each candidate in a scenario */
	rounds: number;
}

/** This node beside another candidate in one scenario. */
export interface Comparison {
	scenario: string;
	unit: 'ms' | 'ms per item' | 'MB';
	/** Times of this node, round by round */
	node: number[];
	/** Times of the other candidate in the same rounds */
	other: number[];
	/** Maximum ratio; of memory the maximum in MB */
	bound?: number;
}

function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of the rounds' ratios: other work of the machine affects both candidates of a round. */
const ratio = ({ node, other }: Comparison) =>
	median(node.map((value, round) => value / other[round]));

/** The ratio of the fastest rounds. */
const bestRatio = ({ node, other }: Comparison) => Math.min(...node) / Math.min(...other);

export function isAboveBound(comparison: Comparison): boolean {
	const { bound = Infinity, unit, node } = comparison;
	return (unit === 'MB' ? median(node) : ratio(comparison)) > bound;
}

const DOCUMENT = join(packageRoot, 'test/tools/bench/README.md');

function cells(comparison: Comparison): string[] {
	const { scenario, unit, node, other, bound } = comparison;
	const value = (values: number[]) =>
		`${median(values).toFixed(unit === 'ms per item' ? 2 : 0)} ${unit}`;
	const boundOf = unit === 'MB' ? `${bound} MB` : String(bound);
	const best = node.length > 1 ? ` (best ${bestRatio(comparison).toFixed(2)})` : '';
	return [
		scenario.replace(/\d{4,}/g, (digits) => Number(digits).toLocaleString('en')),
		value(node),
		value(other),
		ratio(comparison).toFixed(2) + best,
		bound === undefined ? '–' : boundOf + (isAboveBound(comparison) ? ', exceeded' : ''),
	];
}

export function tableOf(other: string, comparisons: Comparison[]): string {
	const head = ['Scenario', 'This node', other, 'Ratio', 'Bound'];
	return markdownTable([head, ...comparisons.map(cells)]);
}

function versionOf(name: string): string {
	// Reads the file, because some packages do not export their package.json.
	const file = join(packageRoot, 'node_modules', name, 'package.json');
	return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function conditions({ quick, rounds }: Options): string {
	const all = cpus();
	const machine = [
		all[0].model.trim(),
		`${all.length} cores`,
		`${Math.round(totalmem() / 1024 ** 3)} GB`,
		`${type()} ${release()}`,
		`Node.js ${process.versions.node}`,
		...['n8n-core', 'axios'].map((name) => `${name} ${versionOf(name)}`),
	];
	const date = new Date().toISOString().slice(0, 10);
	return `Measured on ${date}, ${rounds} rounds${quick ? ', with --quick' : ''}: ${machine.join(', ')}.`;
}

/** Writes a table between the marks of its part in test/tools/bench/README.md. */
export function writeTable(part: string, table: string, options: Options): void {
	const [begin, end] = [`<!-- begin ${part} -->\n`, `<!-- end ${part} -->`];
	const text = readFileSync(DOCUMENT, 'utf8');
	const [before, after] = [text.split(begin)[0], text.split(end)[1]];
	if (before === text || after === undefined) throw new Error(`No marks for ${part}: ${DOCUMENT}`);
	writeFileSync(DOCUMENT, `${before}${begin}${conditions(options)}\n\n${table}\n${end}${after}`);
}
