/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the package's files in Node, never inside n8n */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { events } from '../../nodes/Activepieces/trigger/events';
import { describeTrigger } from '../../nodes/Activepieces/trigger/fields';
import { scripts, version } from '../../package.json';
import { N8N_RELEASES } from '../e2e/support/install';
import { packageRoot, read } from '../engine/harness/environment';
import { cases } from '../operations';
import type { Schema } from '../operations/schemas';
import { RELEASES } from '../service/releases';
import { pathOf } from '../tools/docs/generate';

const DOCUMENTS = [
	...readdirSync(packageRoot).filter((file) => file.endsWith('.md')),
	'examples/README.md',
	...readdirSync(join(packageRoot, 'docs'))
		.filter((file) => file.endsWith('.md'))
		.map((file) => `docs/${file}`),
];

/** Makes an anchor from a heading as GitHub does. */
const anchorOf = (heading: string) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\s-]/gu, '')
		.trim()
		.replace(/\s/g, '-');

const anchorsIn = (document: string) =>
	[...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading));

describe.each(DOCUMENTS)('%s', (document) => {
	const targets = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
	const inside = targets.filter((target) => !/^https?:/.test(target));

	test('links to files and headings that exist', () => {
		const missing = inside.filter((target) => {
			const [path, anchor] = target.split('#');
			const file = path === '' ? document : normalize(join(dirname(document), path));
			if (!existsSync(join(packageRoot, file))) return true;
			return anchor !== undefined && !anchorsIn(file).includes(anchor);
		});
		expect(missing).toEqual([]);
	});

	test('names only commands that exist', () => {
		const named = [...read(document).matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)];
		const missing = named.filter(([, script, short]) => !((script ?? short) in scripts));
		expect(missing).toEqual([]);
	});

	test('links to other sites with https only', () => {
		const outside = targets.filter((target) => /^https?:/.test(target));
		expect(outside.filter((target) => !target.startsWith('https://'))).toEqual([]);
	});
});

describe('the README', () => {
	/** Cells of the table rows, without their Markdown. */
	const rows = read('README.md')
		.split('\n')
		.filter((line) => line.trim().startsWith('|'))
		.map((line) => line.split('|').map((cell) => cell.trim()))
		.map((cells) => cells.slice(1, -1));

	test('names the releases that every change is tested with', () => {
		const cellOf = (name: string) => rows.find(([first]) => first === name)?.[1] ?? '';
		for (const release of N8N_RELEASES) expect(cellOf('n8n')).toContain(release);
		for (const release of RELEASES) expect(cellOf('Activepieces')).toContain(release);
	});

	test('has two first workflows of five steps, with fields that the trigger returns', () => {
		const section = read('README.md')
			.split(/^## /m)
			.find((each) => each.startsWith('First'))!;
		const [alert, run] = section.split(/^### /m).slice(1);
		for (const each of [alert, run]) expect(each.match(/^\d\. /gm)).toHaveLength(5);
		const named = [...alert.matchAll(/\$json\.(\w+)(?:\?\.(\w+))?/g)];
		expect(named).toHaveLength(5);
		const { properties } = JSON.parse(read(pathOf('flowRun.get'))) as Schema;
		for (const [, field, part] of named) {
			expect(Object.keys(properties!)).toContain(field);
			const description = new RegExp(`^- \`${field}\`: .*\`${part}\``, 'm');
			if (part !== undefined) expect(read('docs/outputs.md')).toMatch(description);
		}
	});
});

// The other sections of docs/outputs.md are generated.
test.each([['Queue backlog', ['metric', 'count', 'threshold', 'clearAt', 'stats']]])(
	'docs/outputs.md describes each field of an event: %s',
	(name, expected) => {
		const section = read('docs/outputs.md')
			.split(/^## /m)
			.find((each) => each.startsWith(`${name}\n`));
		const rows = [...(section ?? '').matchAll(/^- `(\w+)`: .+$/gm)];
		expect(rows.map(([, field]) => field)).toEqual(expected);
	},
);

test('docs/outputs.md names each event, where the facts have its output', () => {
	const text = read('docs/outputs.md');
	for (const { name } of events) expect(text).toContain(name);
	const named = cases.flatMap(({ output }) => output.events?.split(', ') ?? []);
	// The backlog is no record of an operation, and has a section of its own.
	const expected = events.map(({ name }) => name).filter((name) => name !== 'Queue Backlog');
	expect([...new Set(named)].sort()).toEqual(expected.sort());
});

test('CONTRIBUTING names only files that exist', () => {
	// Except the files in the two sections on how to add something, which do not exist yet.
	const named = [...read('CONTRIBUTING.md').matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|mjs|ya?ml))`/g)]
		.map(([, path]) => path)
		.filter((path) => !/\busers?\b/.test(path));
	expect(named.length).toBeGreaterThan(30);
	const isIn = (root: string, path: string) => existsSync(join(packageRoot, root, path));
	const missing = named.filter((path) => !isIn('', path) && !isIn('nodes/Activepieces', path));
	expect(missing).toEqual([]);
});

test('docs/trigger.md has a row for each event and each field', () => {
	const first = [...read('docs/trigger.md').matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell]) => cell);
	const named = first
		.flatMap((cell) => cell.split(', '))
		.map((cell) => cell.split(' (default)')[0]);
	for (const { name } of events) expect(named.filter((each) => each === name)).toHaveLength(2);
	const [, ...fields] = describeTrigger(events);
	const labels = fields.flatMap(({ displayName, type, options = [] }) =>
		type === 'collection'
			? options.map((option) => `${displayName} → ${(option as INodeProperties).displayName}`)
			: displayName,
	);
	expect(labels.length).toBeGreaterThan(12);
	expect(named).toEqual(expect.arrayContaining(labels));
});

test('the changelog lists the changes of this version', () => {
	expect(read('CHANGELOG.md')).toMatch(new RegExp(`^## ${version}$`, 'm'));
});
