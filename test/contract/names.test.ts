/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads the repository's files in Node, never inside n8n */
import { posix } from 'node:path';

import * as ts from 'typescript';

import { files, textOf } from './sources';

/**
 * What somebody has to know of the engine who writes a resource or an event: the price of a door. These bounds
 * may only fall.
 */
const BOUNDS = { names: 110, modules: 14, most: 29 };

/** A folder in resources/ is a resource, and so is a file there that makes one. All others are the engine. */
const isOfResource = (file: string): boolean =>
	/^resources\/[^/]+\//.test(file) ||
	(/^resources\/(?!index\.ts)[^/]+$/.test(file) && /: Resource\b/.test(textOf(file)));

const written = files.filter((file) => isOfResource(file) || file.startsWith('trigger/events/'));

/** What a file imports of the engine, by its name in the file. */
function importsOf(source: ts.SourceFile, file: string): Map<string, string> {
	const imported = new Map<string, string>();
	for (const statement of source.statements) {
		if (!ts.isImportDeclaration(statement)) continue;
		const { moduleSpecifier, importClause } = statement;
		const path = posix.join(posix.dirname(file), (moduleSpecifier as ts.StringLiteral).text);
		const module = [`${path}.ts`, `${path}/index.ts`].find((each) => files.includes(each));
		if (module === undefined || written.includes(module)) continue;
		const bindings = importClause?.namedBindings;
		if (bindings === undefined) continue;
		if (ts.isNamespaceImport(bindings)) imported.set(bindings.name.text, `${module}#*`);
		else {
			for (const { name, propertyName } of bindings.elements) {
				imported.set(name.text, `${module}#${(propertyName ?? name).text}`);
			}
		}
	}
	return imported;
}

/** Whether an identifier is the name of a member, and not a use of what was imported under this name. */
const isMember = ({ parent }: ts.Identifier, node: ts.Node): boolean =>
	(ts.isPropertyAccessExpression(parent) && parent.name === node) ||
	(ts.isPropertyAssignment(parent) && parent.name === node) ||
	(ts.isQualifiedName(parent) && parent.right === node) ||
	(ts.isPropertySignature(parent) && parent.name === node);

/** The names of the engine in a file; of an object or a whole module each member that is used. */
function namesIn(file: string): Set<string> {
	const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
	const imported = importsOf(source, file);
	const names = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (ts.isImportDeclaration(node)) return;
		const [owner, member] = ts.isPropertyAccessExpression(node)
			? [node.expression, node.name]
			: ts.isQualifiedName(node)
				? [node.left, node.right]
				: [];
		if (owner !== undefined && ts.isIdentifier(owner) && imported.has(owner.text)) {
			names.add(`${imported.get(owner.text)}.${member!.text}`);
			return;
		}
		if (ts.isIdentifier(node) && imported.has(node.text) && !isMember(node, node)) {
			names.add(imported.get(node.text)!);
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return names;
}

test('whoever writes a resource or an event has to know no more of the engine than before', () => {
	expect(written.length).toBeGreaterThan(15);
	const inFiles = written.map(namesIn);
	const names = new Set(inFiles.flatMap((each) => [...each]));
	const modules = new Set([...names].map((name) => name.split('#')[0]));
	const most = Math.max(...inFiles.map(({ size }) => size));
	expect({ names: names.size, modules: modules.size, most }).toEqual(BOUNDS);
});
