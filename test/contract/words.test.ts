import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import { CREDENTIALS } from '../../nodes/Activepieces/transport/credential/credential';
import { CONNECTION_RULES } from '../../nodes/Activepieces/transport/errors/connectionMessages';
import { afterTries, signInSent } from '../../nodes/Activepieces/transport/errors/errorFor';
import { LIST_TEXTS, projectNote } from '../../nodes/Activepieces/transport/errors/listMessages';
import { MAYBE_DONE } from '../../nodes/Activepieces/transport/errors/ledger';
import type { ResponseRule, Rule } from '../../nodes/Activepieces/transport/errors/rule';
import { createRedactor, NO_SECRETS } from '../../nodes/Activepieces/transport/http/redact';
import { parseResponse } from '../../nodes/Activepieces/transport/http/response';
import { RESPONSE_RULES } from '../../nodes/Activepieces/transport/errors/responseMessages';
import { SIGN_IN } from '../../nodes/Activepieces/transport/client/signIn';
import {
	wordsOf,
	type CredentialKind,
	type MessagePlace,
	PLACE_WORDS,
} from '../../nodes/Activepieces/transport/errors/words';
import { createEngine, type Engine } from '../engine/harness/engine';

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

describe('the messages about requests', () => {
	const CREDENTIAL_KINDS: CredentialKind[] = ['apiKey', 'otherKey', 'session', 'signingIn'];
	const params = { message: 'It says so', permission: 'READ', standardError: 'none' };
	const [full, empty] = [{ code: 'A', params }, {}].map((body) =>
		parseResponse(
			{ statusCode: 400, headers: { location: 'https://x.example/' }, body: JSON.stringify(body) },
			createRedactor(NO_SECRETS),
		),
	);
	const ofOperations = resources.flatMap(({ operations }) =>
		operations.flatMap(({ endpoint }) => endpoint.rules ?? []),
	);
	const rules: ResponseRule[] = [...RESPONSE_RULES, ...(SIGN_IN.rules ?? []), ...ofOperations];
	const SERVER = { baseUrl: 'https://activepieces.example/api' };
	const ENDPOINT = { method: 'GET', path: '/v1/folders/{id}' } as const;
	const ofList = { count: 1, most: 2, kind: 'repeatedPages' } as const;

	/** Every text in every place, with and without what may be unknown. */
	const messages = (Object.keys(PLACE_WORDS) as MessagePlace[]).flatMap((place) =>
		CREDENTIAL_KINDS.flatMap((credentialKind) =>
			[full, empty].flatMap((response) => {
				const isFull = response === full;
				const project = { noun: 'project', id: 'def', name: 'Sales', of: 2 };
				const more = { field: 'Folder', id: 'abc', container: project };
				const { id, ...subject } = isFull ? more : ({} as Partial<typeof more>);
				const auth = { username: 'user', password: 'correct horse' };
				const proxy = { host: 'proxy.example', port: 3128, auth };
				const settings = isFull ? { proxy } : {};
				const words = wordsOf(
					{ ...SERVER, credentialKind, place, settings },
					{ endpoint: ENDPOINT, id, subject: { noun: 'folder', ...subject } },
					response,
				);
				const textsOf = <Facts>(list: Array<Rule<Facts>>, facts: Facts) =>
					list.map(({ text }) => text(words, facts));
				const added = isFull ? [500, 403].map((status) => projectNote(words, status)) : [];
				const all = [
					...textsOf(rules, response),
					...textsOf(CONNECTION_RULES, { kind: 'other', text: isFull ? 'cut.' : undefined }),
					...Object.values(LIST_TEXTS).map((text) => text(words, ofList)),
					...[...added, signInSent(words), MAYBE_DONE].map((description) => ({
						message: `x${afterTries(2, '1 second')}`,
						description,
					})),
				];
				return all.map((each) => ({ ...each, isFull }));
			}),
		),
	);

	test('do not contain error, problem, failure or mistake', () => {
		expect(messages.length).toBeGreaterThan(150);
		const texts = messages.flatMap(({ message, description }) => [message, description]);
		// The sentence about a project says in which one an error occurred.
		const alarming = texts.filter((text) => ALARMING.test(text.replace('The error occurred', '')));
		expect(alarming).toEqual([]);
	});

	test('contain no value that is unknown, when all are known', () => {
		const texts = messages
			.filter(({ isFull }) => isFull)
			.map(({ message, description }) => `${message}: ${description}`);
		expect(texts.filter((text) => /undefined|\[object/.test(text))).toEqual([]);
	});

	test('say what happened without a period, and what to do with one', () => {
		const wrong = messages.filter(
			({ message, description }) =>
				message.endsWith('.') ||
				// A URL has none, so that it can be copied.
				!/(\.|https?:\/\/\S*|as (?:few|many))$/.test(description),
		);
		expect([...new Set(wrong.map(({ description }) => description))]).toEqual([]);
	});
});
