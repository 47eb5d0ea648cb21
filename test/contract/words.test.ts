import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import { CREDENTIALS } from '../../nodes/Activepieces/transport/credential/credential';
import { createEngine, type Engine } from '../engine/harness/engine';
import { files, textOf } from './sources';

const OWN_KINDS = ['displayName', 'action', 'description', 'placeholder', 'hint'] as const;
const KINDS = [...OWN_KINDS, 'name'] as const;

/** Every text that a person reads in the editor, with its location. */
interface Text {
	where: string;
	kind: (typeof KINDS)[number];
	text: string;
}

/** n8n adds these to every declarative node and to every trigger that polls. */
const NOT_OURS = ['requestOptions', 'pollTimes'];

/** A status of connections in Activepieces, with the name that it has there. */
const NAME_OF_THE_SERVICE = 'Error';

const ALARMING = /\b(error|problem|failure|mistake)/i;

/** A field, an option or a mode of a locator. */
interface Described {
	name?: string;
	value?: unknown;
	displayName?: string;
	action?: string;
	description?: string;
	placeholder?: string;
	hint?: unknown;
	options?: unknown[];
	modes?: unknown[];
}

function textsOf(described: Described, where: string): Text[] {
	const place = `${where}.${described.name ?? ''}`;
	const own = OWN_KINDS.filter((kind) => typeof described[kind] === 'string');
	const kinds = 'value' in described ? [...own, 'name' as const] : own;
	const texts = kinds.map((kind) => ({ where: place, kind, text: String(described[kind]) }));
	const inner = [...(described.options ?? []), ...(described.modes ?? [])];
	return [...texts, ...inner.flatMap((each) => textsOf(each as Described, place))];
}

let engine: Engine;
let texts: Text[];
beforeAll(async () => {
	engine = await createEngine();
	const [node, trigger] = engine.loader.types.nodes;
	const credentials = Object.values(CREDENTIALS).map((name) => engine.loader.getCredential(name));
	const all: Array<[INodeProperties[], string]> = [
		[node.properties, 'node'],
		[trigger.properties, 'trigger'],
		...credentials.map(({ type }): [INodeProperties[], string] => [type.properties, type.name]),
	];
	const hints = (node.hints ?? []).map(({ message }) => ({ hint: message }));
	texts = [
		...all.flatMap(([properties, where]) =>
			properties
				.filter(({ name }) => !NOT_OURS.includes(name))
				.flatMap((property) => textsOf(property, where)),
		),
		...hints.flatMap((hint) => textsOf(hint, 'node.hints')),
	];
});

/** The texts that break a rule, so that a test lists them all. */
const breaking = (kinds: ReadonlyArray<Text['kind']>, holds: (text: string) => boolean) =>
	texts
		.filter(({ kind, text }) => kinds.includes(kind) && !holds(text))
		.map(({ where, kind, text }) => `${where} ${kind}: ${text}`);

test('the node has enough texts for these checks', () => {
	expect(texts.length).toBeGreaterThan(100);
});

test('a single sentence has no period at its end, several sentences do', () => {
	const sentences = (text: string) => text.split(/(?<=\.) (?=\S)/).length;
	const isRight = (text: string) => text.endsWith('.') === sentences(text) > 1;
	expect(breaking(['description', 'hint', 'action'], isRight)).toEqual([]);
});

test('placeholders are examples, or say what to select', () => {
	const isRight = (text: string) => /^(e\.g\. \S|Select a .+\.\.\.$|Add )/.test(text);
	expect(breaking(['placeholder'], isRight)).toEqual([]);
});

test('hints are short enough for the editor', () => {
	expect(breaking(['hint'], (text) => text.length <= 120)).toEqual([]);
});

test('no text contains error, problem, failure or mistake', () => {
	const isRight = (text: string) => !ALARMING.test(text.replace(NAME_OF_THE_SERVICE, ''));
	expect(breaking(KINDS, isRight)).toEqual([]);
});

test('every action describes its operation in sentence case', () => {
	expect(breaking(['action'], (text) => /^[A-Z][a-z ]+$/.test(text))).toEqual([]);
	const operations = resources.flatMap((resource) => resource.operations);
	const actions = texts.filter(({ kind, where }) => kind === 'action' && where.startsWith('node'));
	expect(actions).toHaveLength(operations.length);
});

test('only operations that delete warn, and say that this cannot be undone', () => {
	const { hints = [] } = engine.loader.types.nodes[0];
	const warnings = hints.filter(({ type }) => type === 'warning');
	const ofDeletes = resources.flatMap(({ operations }) =>
		operations
			.filter(({ endpoint, isIrreversible }) => endpoint.method === 'DELETE' || isIrreversible)
			.map(({ hint }) => hint),
	);
	expect(ofDeletes).not.toEqual([]);
	expect(warnings.map(({ message }) => message)).toEqual(ofDeletes);
	expect(hints.filter(({ message }) => message.includes('cannot be undone'))).toEqual(warnings);
});

test('each hint is shown for one operation, before it has run', () => {
	const { hints = [] } = engine.loader.types.nodes[0];
	for (const { displayCondition, whenToDisplay } of hints) {
		expect(whenToDisplay).toBe('beforeExecution');
		expect(displayCondition).toMatch(
			/^=\{\{ \$parameter\["resource"\] === "\w+" && \$parameter\["operation"\] === "\w+" \}\}$/,
		);
	}
});

// A model reads messages as well: it has no lists, and no places of the editor.
test('messages name a field or an option, not where the editor has it', () => {
	const ofEditor = /\bfrom (the|a) list\b|\bOptions >|\bunder Options\b|\bin the editor\b/;
	// The words that n8n has for fields with a list
	const ofFields = /Choose from the list, or specify (an ID|IDs) using/;
	const lines = files.flatMap((file) =>
		textOf(file)
			.split('\n')
			.map((line) => `${file}: ${line}`),
	);
	const texts = lines.filter((line) => /['`]/.test(line) && !/^\S+\s*(\/\/|\/?\*)/.test(line));
	expect(texts.filter((line) => ofEditor.test(line) && !ofFields.test(line))).toEqual([]);
});
