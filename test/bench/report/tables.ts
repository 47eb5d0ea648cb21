import type { Result, Results } from '../compare';
import { CONTESTANTS, type Name } from '../contestants';
import type { Contest } from '../contests';
import { ratioOf } from './print';

export interface Finished {
	contest: Contest;
	results: Results;
}

export const number = (value: number) => value.toLocaleString('en');

const row = (cells: string[]) => `| ${cells.join(' | ')} |`;

/** A table in Markdown; figures stand to the right. */
const table = (head: string[], rows: string[][]) =>
	[row(head), row(head.map((_, index) => (index === 0 ? '---' : '--:'))), ...rows.map(row)].join(
		'\n',
	);

const seconds = (ms: number) =>
	ms < 10_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** What stands in a table for a result, with what is special about it. */
function cell(result: Result | undefined, usual: number, text: (result: Result) => string): string {
	if (result === undefined) return '–';
	if (result.missing !== undefined) return result.missing;
	const rounds = result.rounds < usual ? ` (${result.rounds} of ${usual} rounds)` : '';
	return text(result) + rounds;
}

/** The names in the order in which the contests have them. */
const namesIn = (finished: Finished[]): Name[] => [
	...new Set(finished.flatMap(({ contest }) => contest.names)),
];

const timeCell = ({ contest, results }: Finished, name: Name, usual: number) =>
	cell(
		results.get(name),
		usual,
		(result) => `${seconds(result.ms)}, × ${ratioOf(contest, results, result).toFixed(2)}`,
	);

/** Those of one contestant that have figures, the smallest first. */
const measured = (finished: Finished[], name: Name) =>
	finished.flatMap(({ contest: { size }, results }) => {
		const result = results.get(name);
		return result === undefined || result.missing !== undefined ? [] : [{ size, ...result }];
	});

/** Time per record at the largest size that was measured, as a multiple of that at the smallest. */
function growthOf(finished: Finished[], name: Name): string {
	const all = measured(finished, name);
	const [first, last] = [all[0], all[all.length - 1]];
	if (all.length < 2 || first.size === last.size) return '–';
	return `× ${(last.ms / last.size / (first.ms / first.size)).toFixed(2)} (${number(last.size)})`;
}

/** Peak memory at the largest size that was measured. */
function peakOf(finished: Finished[], name: Name): string {
	const all = measured(finished, name);
	if (all.length === 0) return '–';
	const { peakMb, size } = all[all.length - 1];
	return `${peakMb.toFixed(0)} MB (${number(size)})`;
}

/** One protocol and delay; sizes side by side. */
export function listingTable(finished: Finished[], usual: number): string {
	return table(
		[
			'',
			...finished.map(({ contest }) => `${number(contest.size)} flows`),
			'growth',
			'peak memory',
		],
		namesIn(finished).map((name) => [
			CONTESTANTS[name].title,
			...finished.map((each) => timeCell(each, name, usual)),
			growthOf(finished, name),
			peakOf(finished, name),
		]),
	);
}

/** Most that were open at once in any of these. */
const connectionsIn = (finished: Finished[], name: Name) =>
	String(Math.max(...finished.map(({ results }) => results.get(name)?.connections ?? 0)) || '–');

/** One kind and size; delays side by side. */
export function bulkTable(finished: Finished[], usual: number): string {
	return table(
		['', ...finished.map(({ contest }) => `${contest.delay} ms away`), 'connections at once'],
		namesIn(finished).map((name) => [
			CONTESTANTS[name].title,
			...finished.map((each) => timeCell(each, name, usual)),
			connectionsIn(finished, name),
		]),
	);
}

/** One operation a row, with this node's figures for few items and for many. */
export function loadTable(operations: Array<[string, Finished[]]>, usual: number): string {
	const name = 'theNode';
	const sizes = operations[0][1].map(({ contest }) => `${number(contest.size)} items`);
	return table(
		['', ...sizes, 'growth', ...sizes.map((size) => `heap for ${size}`), 'connections at once'],
		operations.map(([title, finished]) => [
			title,
			...finished.map(({ results }) => cell(results.get(name), usual, ({ ms }) => seconds(ms))),
			growthOf(finished, name),
			...finished.map(({ results }) => `${results.get(name)?.heapMb ?? '–'} MB`),
			connectionsIn(finished, name),
		]),
	);
}

/** The heap that is needed, with peak memory and time beside it. */
export function memoryTable(finished: Finished[], usual: number): string {
	return table(
		['', 'heap needed', 'peak memory', 'time'],
		finished.flatMap((each) =>
			each.contest.names.map((name) => [
				CONTESTANTS[name].title,
				cell(
					each.results.get(name),
					usual,
					(result) =>
						`${result.heapMb} MB, × ${ratioOf(each.contest, each.results, result).toFixed(2)}`,
				),
				cell(each.results.get(name), usual, ({ peakMb }) => `${peakMb.toFixed(0)} MB`),
				cell(each.results.get(name), usual, ({ ms }) => seconds(ms)),
			]),
		),
	);
}
