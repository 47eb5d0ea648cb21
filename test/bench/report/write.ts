/* eslint-disable @n8n/community-nodes/no-restricted-imports -- writes files for people to read, never inside n8n */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { packageRoot } from '../../engine/harness/environment';
import { CONTESTANTS } from '../contestants';
import { BULK } from '../contestants/bulk';
import type { Contest } from '../contests';
import { type Group, drawBars } from './chart';
import { machine, versions } from './machine';
import { ratioOf } from './print';
import { bulkTable, type Finished, listingTable, loadTable, memoryTable, number } from './tables';

export type { Finished };

export interface Conditions {
	rounds: number;
	quick: boolean;
	only: string;
}

/** Puts together what has the same key, in the order of appearance. */
function grouped(
	finished: Finished[],
	keyOf: (each: Finished) => string,
): Array<[string, Finished[]]> {
	const groups = new Map<string, Finished[]>();
	for (const each of finished) {
		const key = keyOf(each);
		groups.set(key, [...(groups.get(key) ?? []), each]);
	}
	return [...groups];
}

function barsOf({ contest, results }: Finished, title: string): Group {
	return {
		title,
		bars: [...results].map(([name, result]) => ({
			label: CONTESTANTS[name].title,
			value: ratioOf(contest, results, result),
			isOurs: name === 'theNode',
			missing: result.missing,
		})),
	};
}

const MIDDLE_SIZE = 10_000;

/** Those of one size, so that a picture stays readable: the middle one, or the largest of a quick run. */
function ofOneSize(finished: Finished[]): Finished[] {
	const sizes = finished.map(({ contest }) => contest.size);
	const size = sizes.includes(MIDDLE_SIZE) ? MIDDLE_SIZE : Math.max(...sizes);
	return finished.filter(({ contest }) => contest.size === size);
}

function picture(file: string, title: string, groups: Group[]): string {
	writeFileSync(join(packageRoot, 'docs/pictures', file), drawBars(title, groups));
	return `![${title}](pictures/${file})`;
}

function listing(finished: Finished[], usual: number): string[] {
	if (finished.length === 0) return [];
	const place = ({ contest }: Finished) =>
		`${contest.tls ? 'HTTPS' : 'HTTP'}, ${contest.delay} ms before each answer`;
	const shown = ofOneSize(finished);
	return [
		'## Listing flows',
		`All flows of one project, ${finished[0].contest.steps} steps each. Where nothing else is said, with 1,000 a page.`,
		picture(
			'bench-listing.svg',
			`Time for listing ${number(shown[0].contest.size)} flows, as a multiple of raw axios`,
			shown.map((each) => barsOf(each, place(each))),
		),
		...grouped(finished, place).flatMap(([title, each]) => [
			`### ${title}`,
			listingTable(each, usual),
		]),
	];
}

const operationOf = ({ contest: { kind } }: Finished) =>
	kind === 'list' ? 'Flow → Get Many' : BULK[kind].title;

function bulk(finished: Finished[], usual: number): string[] {
	if (finished.length === 0) return [];
	const shown = ofOneSize(finished);
	return [
		'## Many input items',
		'One request for each input item, its ID from an expression. Raw axios keeps ten requests in flight, as this node does; HTTP Request without batching sends all at once, with a connection for each.',
		'Before the first request goes out, n8n looks at all fields of a declarative node and evaluates their expressions, for every input item. That is most of what this node takes longer than raw axios, so it weighs less the further away the service is.',
		picture(
			'bench-bulk.svg',
			`Time for ${number(shown[0].contest.size)} input items, as a multiple of raw axios`,
			shown.map((each) =>
				barsOf(each, `${operationOf(each)}, ${each.contest.delay} ms before each answer`),
			),
		),
		...grouped(
			finished,
			(each) => `${operationOf(each)}, ${number(each.contest.size)} items`,
		).flatMap(([title, each]) => [`### ${title}`, bulkTable(each, usual)]),
	];
}

function load(finished: Finished[], usual: number): string[] {
	if (finished.length === 0) return [];
	return [
		'## Growth',
		'Every operation on a single record with this node, all input items in one run. Growth is that of the time per item.',
		loadTable(grouped(finished, operationOf), usual),
	];
}

function memory(finished: Finished[], usual: number): string[] {
	if (finished.length === 0) return [];
	const { size, steps } = finished[0].contest;
	return [
		'## Memory',
		`Listing ${number(size)} flows of ${steps} steps.`,
		memoryTable(finished, usual),
	];
}

function conditions({ rounds, quick, only }: Conditions): string[] {
	return [
		`Measured on ${new Date().toISOString().slice(0, 10)} on one machine: ${machine()}; with ${versions()}, and the HTTP Request and Split Out nodes of n8n 2.40.7.`,
		...(quick || only !== ''
			? ['**This was not the whole bench**: only some sizes or contests were run.']
			: []),
		[
			'How it is measured:',
			'',
			'- The service is the stand-in of the tests, in a process of its own on the same machine; a distance is a pause before each answer.',
			'- Each measurement has a process of its own. It warms up with small runs that are not counted, for 1.5 seconds or ten runs.',
			`- The contestants take turns. Times are medians of ${rounds} rounds, fewer where a cell says so; × is the multiple of raw axios in the same contest.`,
			'- Every run has to give exactly the records there are.',
			'- Growth is the time per record at the largest size that was measured (in brackets) as a multiple of that at the smallest; peak memory is that of the largest.',
			'- Peak memory is the most the process ever held (maximum resident set) less what it held after warming up and a full collection. Node.js lets it grow before it collects, so beside it stands the heap needed: the smallest one (`--max-old-space-size`) in which the work succeeds, within 5 %.',
			'- An eleventh connection at once is one that is being closed.',
			'- n8n opens a connection for each request, so raw axios does as well. undici keeps its connection, which is its default.',
			'- Over HTTPS no client checks the certificate, which is made for the run; a proxy in the process of the service ends TLS.',
			'- HTTP Request with batches sends 50 a second, which is what n8n enters when the option is added. It waits for the clock, not for the answers.',
		].join('\n'),
		'To repeat it: `npm run bench -- --write`. `--quick` runs small sizes, `--only "^delete 1000 "` some contests, `--list` names them. The first run installs n8n 2.40.7 in a cache of 3 GB.',
	];
}

/** Writes docs/bench.md and its pictures. */
export function writeReport(finished: Finished[], given: Conditions): void {
	mkdirSync(join(packageRoot, 'docs/pictures'), { recursive: true });
	const those = (wanted: (contest: Contest) => boolean) =>
		finished.filter(({ contest }) => wanted(contest));
	const text = [
		'# Benchmark',
		'This node beside other ways of doing the same work.',
		...conditions(given),
		...listing(
			those(({ kind, about }) => kind === 'list' && about === 'speed'),
			given.rounds,
		),
		...bulk(
			those(({ kind, about }) => kind !== 'list' && about === 'speed'),
			given.rounds,
		),
		...load(
			those(({ about }) => about === 'load'),
			given.rounds,
		),
		...memory(
			those(({ about }) => about === 'memory'),
			given.rounds,
		),
	];
	writeFileSync(join(packageRoot, 'docs/bench.md'), `${text.join('\n\n')}\n`);
}
