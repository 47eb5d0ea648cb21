/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the repository's files in Node, never inside n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

import { resources } from '../../nodes/Activepieces/resources';
import { packageRoot } from '../engine/harness/environment';

const NODE = join(packageRoot, 'nodes/Activepieces');

/** The layers of the node, with the rooms of the last one: none imports from one before it. */
const LAYERS = [
	...['.', 'trigger', 'methods', 'resources', 'descriptions', 'execution'],
	...['transport/lists', 'transport/client', 'transport/credential', 'transport/errors'],
	...['transport/http', 'transport'],
];

/** Maximum length of a file in lines */
const LONGEST = 500;

/** Maximum number of files in a room */
const ROOM = 9;

const inNode = (path: string) => relative(NODE, path).split(sep).join('/');

const files = readdirSync(NODE, { recursive: true, encoding: 'utf8' })
	.filter((file) => file.endsWith('.ts'))
	.map((file) => file.split(sep).join('/'));

const textOf = (file: string) => readFileSync(join(NODE, file), 'utf8');

/** The files of the node that a file imports from, types included. */
function importsOf(file: string): string[] {
	const from = [...textOf(file).matchAll(/^(?:import|export)\b[^;]*?\bfrom '(\.[^']*)';/gms)];
	return from.map(([, path]) => {
		const imported = inNode(resolve(NODE, dirname(file), path));
		return files.find((each) => [`${imported}.ts`, `${imported}/index.ts`].includes(each)) ?? path;
	});
}

const imports = new Map(files.map((file) => [file, importsOf(file)]));

const layerOf = (file: string) =>
	file.startsWith('transport/') ? dirname(file) : file.includes('/') ? file.split('/')[0] : '.';

/** A circle of imports from a file back to itself. */
function circleOf(file: string): string[] | undefined {
	const open = (imports.get(file) ?? []).map((next) => [file, next]);
	const seen = new Set<string>();
	for (const path of open) {
		const last = path[path.length - 1];
		if (last === file) return path;
		if (seen.has(last)) continue;
		seen.add(last);
		open.push(...(imports.get(last) ?? []).map((next) => [...path, next]));
	}
	return undefined;
}

test('every import resolves to a file of the node, and every file belongs to a layer', () => {
	expect(files.length).toBeGreaterThan(60);
	expect([...imports.values()].flat().filter((file) => !imports.has(file))).toEqual([]);
	expect(files.filter((file) => !LAYERS.includes(layerOf(file)))).toEqual([]);
	// The pattern finds all imports.
	const all = files.flatMap((file) => textOf(file).match(/\bfrom '\.[^']*'/g) ?? []);
	expect([...imports.values()].flat()).toHaveLength(all.length);
});

test('there are no circular imports', () => {
	expect(files.map(circleOf).filter((circle) => circle !== undefined)).toEqual([]);
});

test('no import goes up from one layer to another', () => {
	const up = [...imports].flatMap(([file, imported]) =>
		imported
			.filter((each) => LAYERS.indexOf(layerOf(each)) < LAYERS.indexOf(layerOf(file)))
			.map((each) => `${file} imports ${each}`),
	);
	expect(up).toEqual([]);
});

const RESOURCES = resources.map(({ value, operations }) => ({
	value,
	index: `resources/${value}/index.ts`,
	operations: operations.map((operation): [string, unknown] => [
		`resources/${value}/${operation.value}.ts`,
		operation,
	]),
}));

test.each(RESOURCES)('$index only lists the operations', ({ value, index }) => {
	expect(textOf(index).match(/^(?!import|\}|\t|\n).+/gm)).toEqual([
		expect.stringMatching(`^export const ${value}: Resource = \\{`),
	]);
});

test.each(RESOURCES.flatMap(({ operations }) => operations))(
	'%s is one operation, and only the list imports it',
	async (file, operation) => {
		const exported: unknown[] = Object.values((await import(join(NODE, file))) as object);
		const all = resources.flatMap(({ operations }): unknown[] => operations);
		expect(exported.filter((each) => all.includes(each))).toEqual([operation]);
		const importing = files.filter((each) => imports.get(each)?.includes(file));
		expect(importing).toEqual([`${dirname(file)}/index.ts`]);
	},
);

test('only transport/http/httpStatus.ts knows the numbers of HTTP statuses', () => {
	const isStatusJudged = /\bstatus(?:Code)?\b\)?\s*(?:[=!]==?|[<>]=?)\s*\d|\bcase [1-5]\d\d:/i;
	expect(files.filter((file) => isStatusJudged.test(textOf(file)))).toEqual([]);
});

test('a room of transport/ has few files', () => {
	const rooms = LAYERS.filter((layer) => layer.startsWith('transport'));
	const isFull = (room: string) => files.filter((file) => dirname(file) === room).length > ROOM;
	expect(rooms.filter(isFull)).toEqual([]);
});

test('files are small', () => {
	expect(files.filter((file) => textOf(file).split('\n').length > LONGEST)).toEqual([]);
});
