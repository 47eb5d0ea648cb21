/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the repository's files in Node, never inside n8n */
import { dirname, relative, resolve, sep } from 'node:path';

import { resources } from '../../nodes/Activepieces/resources';
import { files, NODE, textOf } from './sources';

/** The layers of the node, with the rooms of the last one: none imports from one before it. */
const LAYERS = [
	...['.', 'trigger', 'methods', 'resources', 'descriptions', 'execution'],
	...['transport/api', 'transport/client', 'transport/credential', 'transport/errors'],
	...['transport/http', 'transport'],
];

const inNode = (path: string) => relative(NODE, path).split(sep).join('/');

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

test('a resource is a page, or a folder whose index.ts has its operations', () => {
	expect(resources.length).toBeGreaterThan(10);
	const places = resources.map(({ value }) =>
		[`resources/${value}.ts`, `resources/${value}/index.ts`].filter((file) => files.includes(file)),
	);
	expect(places.filter(({ length }) => length !== 1)).toEqual([]);
	const shown = places.flat().map((file, index) => {
		const named = new RegExp(`^export const ${resources[index].value}: Resource = \\{`, 'm');
		return named.test(textOf(file)) ? undefined : file;
	});
	expect(shown.filter((file) => file !== undefined)).toEqual([]);
	const importing = (page: string) => files.filter((file) => imports.get(file)?.includes(page));
	// Other resources use what its other files have in common with them.
	for (const index of places.flat().filter((file) => file.endsWith('/index.ts'))) {
		expect(importing(index)).toEqual(['resources/index.ts']);
	}
});

test('only transport/http/response.ts knows the numbers of HTTP statuses', () => {
	const isStatusJudged = /\bstatus(?:Code)?\b\)?\s*(?:[=!]==?|[<>]=?)\s*\d|\bcase [1-5]\d\d:/i;
	expect(files.filter((file) => isStatusJudged.test(textOf(file)))).toEqual([]);
});
