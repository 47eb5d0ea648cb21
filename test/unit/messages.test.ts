import { resources } from '../../nodes/Activepieces/resources';
import { SIGN_IN } from '../../nodes/Activepieces/transport/client/signIn';
import { toApiError } from '../../nodes/Activepieces/transport/errors/errorFor';
import { MAYBE_DONE } from '../../nodes/Activepieces/transport/errors/ledger';
import {
	CONNECTION_RULES,
	LIST_RULES,
	RESPONSE_RULES,
} from '../../nodes/Activepieces/transport/errors/messages';
import {
	textOfRule,
	type ConnectionRule,
	type ListRule,
	type ResponseRule,
} from '../../nodes/Activepieces/transport/errors/rule';
import {
	factsOf,
	wordsOf,
	type CredentialKind,
	type ErrorRequest,
	type ErrorSource,
	type MessagePlace,
} from '../../nodes/Activepieces/transport/errors/words';
import { createRedactor, NO_SECRETS } from '../../nodes/Activepieces/transport/http/redact';
import { parseResponse } from '../../nodes/Activepieces/transport/http/response';

/* All texts about failed requests, for the eyes of a reviewer: `npx jest test/unit/messages -u` writes them anew. */

type AnyRule = ResponseRule | ConnectionRule | ListRule;

const KINDS: CredentialKind[] = ['apiKey', 'session', 'signingIn'];
const PLACES: MessagePlace[] = ['node', 'tool', 'trigger', 'editor'];
const SOURCE = {
	baseUrl: 'https://ap.example/api',
	place: 'node',
	settings: { proxy: { protocol: 'http', host: 'proxy.example', port: 3128 } },
} as const;
const REQUEST: ErrorRequest = {
	endpoint: { method: 'GET', path: '/v1/things/{id}' },
	id: 'abc',
	body: { displayName: 'New', pieceName: 'piece-x' },
	subject: { noun: 'thing', field: 'Thing' },
};
const RESPONSE = parseResponse(
	{
		statusCode: 499,
		headers: { location: 'https://other.example/login', 'retry-after': '30' },
		body: JSON.stringify({
			code: 'ANY',
			params: {
				message: 'body/name is wrong',
				permission: 'READ',
				error: 'piece auth type: OAUTH2 !== SECRET_TEXT',
				standardError: 'no answer',
				failedJobRetentionDays: 5,
			},
		}),
	},
	createRedactor(NO_SECRETS),
);

const NOT_CONDITIONS = ['message', 'description', 'when'];

/** The condition of a row, which `when` narrows. */
function conditionOf(rule: AnyRule): string {
	const { when } = rule;
	const conditions = Object.entries(rule).filter(([name]) => !NOT_CONDITIONS.includes(name));
	const parts = conditions.map(([name, value]) => {
		const values = [value as unknown].flat().map((each) => String(each));
		return `${name} ${values.join(' or ')}`;
	});
	if (when !== undefined) parts.push(`when ${when.name === 'when' ? '…' : when.name}`);
	return parts.join(', ') || 'anything else';
}

function textFor(rule: AnyRule, credentialKind: CredentialKind, source: Partial<ErrorSource>) {
	const facts = {
		...factsOf({ ...SOURCE, credentialKind, ...source }, REQUEST),
		response: RESPONSE,
		error: { kind: 'other', text: 'The text of the connection' } as const,
		list: { kind: 'repeatedPages', count: 1000, most: 100_000 } as const,
	};
	const { message, description } = textOfRule(rule as ListRule, wordsOf(facts, RESPONSE), facts);
	return `  ${message}.\n  ${description}`;
}

/** A block for a row; texts of credentials that differ from that of an API key follow it. */
function blockOf(rule: AnyRule, kinds: CredentialKind[], source: Partial<ErrorSource>): string {
	const texts = new Map<string, CredentialKind[]>();
	for (const kind of kinds) {
		const text = textFor(rule, kind, source);
		texts.set(text, [...(texts.get(text) ?? []), kind]);
	}
	const shown = [...texts].map(([text, of]) =>
		texts.size === 1 ? text : `  (${of.join(', ')})\n${text}`,
	);
	return [conditionOf(rule), ...shown].join('\n');
}

const blocksOf = (rules: AnyRule[], kinds = KINDS.slice(0, 2), source: Partial<ErrorSource> = {}) =>
	`\n${rules.map((rule) => blockOf(rule, kinds, source)).join('\n\n')}\n`;

test('no response', () => {
	expect(blocksOf(CONNECTION_RULES)).toMatchSnapshot();
});

test('a response, at any endpoint', () => {
	expect(blocksOf(RESPONSE_RULES, KINDS)).toMatchSnapshot();
});

test('a list that is not read to its end', () => {
	expect(blocksOf(LIST_RULES)).toMatchSnapshot();
});

test('signing in', () => {
	expect(blocksOf(SIGN_IN.rules ?? [], ['signingIn'])).toMatchSnapshot();
});

test.each(resources.map(({ name, operations }) => [name, operations] as const))(
	'a response, at an endpoint of %s',
	(_name, operations) => {
		const rules = new Set(operations.flatMap(({ endpoint }) => endpoint.rules ?? []));
		if (rules.size > 0) expect(blocksOf([...rules])).toMatchSnapshot();
	},
);

describe('every message, in every place and with every credential', () => {
	const ALARMING = /\b(error|problem|failure|mistake)/i;
	const EMPTY = parseResponse(
		{ statusCode: 400, headers: {}, body: '{}' },
		createRedactor(NO_SECRETS),
	);
	const project = { noun: 'project', id: 'def', name: 'Sales', of: 2 };
	const ofOperations = resources.flatMap(({ operations }) =>
		operations.flatMap(({ endpoint }) => endpoint.rules ?? []),
	);
	const shared: AnyRule[] = [
		...RESPONSE_RULES,
		...CONNECTION_RULES,
		...LIST_RULES,
		...(SIGN_IN.rules ?? []),
	];
	const rules = [...shared, ...ofOperations];

	/** With and without what may be unknown. */
	const messages = PLACES.flatMap((place) =>
		KINDS.flatMap((credentialKind) =>
			[RESPONSE, EMPTY].flatMap((response) => {
				const isFull = response === RESPONSE;
				const subject = { ...REQUEST.subject, container: project };
				const request = isFull
					? { ...REQUEST, subject }
					: { endpoint: REQUEST.endpoint, subject: { noun: 'thing' } };
				const settings = isFull ? SOURCE.settings : {};
				const source = { ...SOURCE, place, settings, credentialKind };
				const facts = {
					...factsOf(source, request),
					response,
					error: { kind: 'other', text: isFull ? 'cut.' : undefined } as const,
					list: { kind: 'repeatedPages', count: 1, most: 2 } as const,
				};
				const words = wordsOf(facts, response);
				const attempts = { count: 2, elapsedMs: 1000 };
				// With what is added to a text: the tries, what was sent to sign in, the project.
				const { message, description = '' } = toApiError(source, request, {
					...response,
					attempts,
				});
				return [
					...rules.map((rule) => ({
						...textOfRule(rule as ListRule, words, facts),
						isShared: shared.includes(rule),
					})),
					{ message, description, isShared: false },
					{ message: 'x', description: MAYBE_DONE, isShared: false },
				].map((each) => ({ ...each, isFull, place }));
			}),
		),
	);

	test('does not contain error, problem, failure or mistake', () => {
		expect(messages.length).toBeGreaterThan(150);
		const texts = messages.flatMap(({ message, description }) => [message, description]);
		// The sentence about a project says in which one an error occurred.
		const alarming = texts.filter((text) => ALARMING.test(text.replace('The error occurred', '')));
		expect(alarming).toEqual([]);
	});

	test('contains no value that is unknown, when all are known', () => {
		const texts = messages
			.filter(({ isFull }) => isFull)
			.map(({ message, description }) => `${message}: ${description}`);
		expect(texts.filter((text) => /undefined|\[object/.test(text))).toEqual([]);
	});

	/** Words that do not fit every place; rows of operations are for the node and its tool. */
	const ONLY_IN: Array<[RegExp, MessagePlace[]]> = [
		[/Batching|[Rr]un the node|fields of the node/, ['node']],
		[/[Ff]ilters|Page Size|\bLimit\b/, ['node', 'tool']],
		[/the tool|that you gave/, ['tool']],
		[/fields of the trigger|Poll Times|next poll/, ['trigger']],
		[/what you have entered/, ['editor']],
	];
	test.each(ONLY_IN)('has %s only in %j', (words, places) => {
		const texts = messages
			.filter(({ isShared }) => isShared)
			.map((each) => ({ ...each, text: `${each.message}. ${each.description}` }))
			.filter(({ text }) => words.test(text));
		const others = texts.filter(({ place }) => !places.includes(place));
		expect(others.map(({ text }) => text)).toEqual([]);
		expect(texts).not.toEqual([]);
	});

	test('says what happened without a period, and what to do with one', () => {
		const wrong = messages.filter(
			({ message, description }) =>
				message.endsWith('.') ||
				// A URL has none, so that it can be copied.
				!/(\.|https?:\/\/\S*|as (?:few|many))$/.test(description),
		);
		expect([...new Set(wrong.map(({ description }) => description))]).toEqual([]);
	});
});
