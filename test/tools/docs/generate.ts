import type { IN8nHttpFullResponse } from 'n8n-workflow';

import { resources } from '../../../nodes/Activepieces/resources';
import type { ConnectionErrorKind } from '../../../nodes/Activepieces/transport/http/connectionError';
import { createRedactor, NO_SECRETS } from '../../../nodes/Activepieces/transport/http/redact';
import {
	parseResponse,
	type AttemptResult,
} from '../../../nodes/Activepieces/transport/http/response';
import { mayRepeat, verdictOf } from '../../../nodes/Activepieces/transport/http/verdict';
import { cases, DELETED, type Case } from '../../operations';
import { COMMON, type Output } from '../../operations/facts';
import type { Schema } from '../../operations/schemas';
import { inRanges } from './ranges';
import { coverage } from './reference';

/** The operations in the order in which the node offers them. */
const offered = resources.flatMap(({ value, operations }) =>
	operations.map((operation) => cases.find(({ pair }) => pair === `${value}.${operation.value}`)!),
);

const table = (head: string[], rows: string[][]): string =>
	[
		`| ${head.join(' | ')} |`,
		`|${'---|'.repeat(head.length)}`,
		...rows.map((cells) => `| ${cells.join(' | ')} |`),
	].join('\n');

/** Names with their descriptions. */
const listOf = (rows: string[][]) => rows.map((row) => `- ${row.join(': ')}`).join('\n');

const endpointsOf = ({ operation: { endpoint } }: Case) =>
	[endpoint.path, endpoint.otherPath?.path]
		.filter((path) => path !== undefined)
		.map((path) => `\`${endpoint.method} ${path}\``);

/** An operation with its own endpoint, and what else it calls. */
const callsOf = (each: Case) => {
	const { calls } = each.facts.docs;
	const own = endpointsOf(each).join(' or ');
	return [each.title, calls === undefined ? own : `${own}. Also ${calls}`];
};

/** Names without repetition, for example "Get, Get Many". */
const namesOf = (operations: Case[]) =>
	[...new Set(operations.map(({ operation }) => operation.name))].join(', ');

/** Each resource with the names of its operations. */
const operationNames = () =>
	resources.map(({ name }) => {
		const listed = offered.filter((each) => each.resource.name === name);
		return [`**${name}**`, namesOf(listed)];
	});

function requirements(): string[][] {
	const needs = offered.map(({ ofResource, facts }) => ofResource.needs ?? facts.docs.needs);
	return [...new Set(needs)].flatMap((need) => {
		if (need === undefined) return [];
		const operations = offered.filter((_, index) => needs[index] === need);
		const [{ resource, ofResource }] = operations;
		const which =
			ofResource.needs === need ? resource.name : `${resource.name} → ${namesOf(operations)}`;
		return [[which, need]];
	});
}

function secondTimes(): string[][] {
	const own = offered.flatMap(({ pair, title, facts, operation, isDelete }) => {
		const { secondTime } = facts.docs;
		if (typeof secondTime === 'string') return [[title, secondTime]];
		if (secondTime !== undefined) {
			return Object.entries(secondTime).map(([mode, text]) => [`${title}, *${mode}*`, text]);
		}
		if (operation.endpoint.method === 'GET' || isDelete) return [];
		throw new Error(`The facts of ${pair} do not say what a second run does`);
	});
	const texts = [...new Set(own.map(([, text]) => text))];
	const reads = offered.filter(({ operation }) => operation.endpoint.method === 'GET');
	const deletes = offered.filter(
		({ isDelete, facts }) => isDelete && facts.docs.secondTime === undefined,
	);
	return [
		[namesOf(reads), 'Changes nothing'],
		...texts.map((text) => {
			const titles = own.filter(([, each]) => each === text).map(([title]) => title);
			return [titles.join('; '), text];
		}),
		[namesOf(deletes), 'Ends with "… was not found"'],
	];
}

/** What a person calls the reasons that have no status. */
const KIND_WORDS: Partial<Record<ConnectionErrorKind, string>> = {
	unknownHost: 'a host name that is not found',
	notConnected: 'a refused connection or a timeout while connecting',
	timeout: 'a timeout',
	connectionReset: 'a dropped connection',
};

const REFUSAL = { code: 'ANY', params: {} };

/** Which failed requests are sent again, by the verdict on each status and connection error. */
function repeats(): string[][] {
	type Repeat = 'all' | 'exceptPost' | 'none';
	const repeatOf = (result: AttemptResult): Repeat => {
		const [ofDelete, ofPost] = ['DELETE', 'POST'].map((method) =>
			mayRepeat(verdictOf(result, method), method),
		);
		return ofPost ? 'all' : ofDelete ? 'exceptPost' : 'none';
	};
	const repeatOfStatus = (status: number, body: object) => {
		const read = { statusCode: status, headers: {}, body };
		return repeatOf({
			response: parseResponse(read as IN8nHttpFullResponse, createRedactor(NO_SECRETS)),
		});
	};
	const reasons = (repeat: Repeat): string => {
		const statuses: string[] = [];
		const bySender: string[] = [];
		for (let status = 200; status < 600; status++) {
			const [ofService, ofProxy] = [repeatOfStatus(status, REFUSAL), repeatOfStatus(status, {})];
			if (ofService === repeat && ofProxy === repeat) statuses.push(String(status));
			else if (ofService === repeat) bySender.push(`${status} from Activepieces itself`);
			else if (ofProxy === repeat) bySender.push(`${status} from a proxy`);
		}
		const kinds = Object.keys(KIND_WORDS) as ConnectionErrorKind[];
		const words = kinds.filter((kind) => repeatOf({ connectionError: { kind } }) === repeat);
		return [
			inRanges(statuses, ' to ').join(', '),
			...bySender,
			...words.map((kind) => KIND_WORDS[kind]!),
		].join('; ');
	};
	return [
		[reasons('all'), 'Retried', 'Retried'],
		[reasons('exceptPost'), 'Retried', 'Not retried: Activepieces may have made the change'],
		[
			'Another 4xx or 5xx status; a redirect; an unexpected body',
			'Not retried',
			'Not retried. A firewall may refuse the response to a change that was made: then the message says so',
		],
	];
}

function ofReference(): string {
	const { sentence, rows } = coverage(offered);
	const head = ['Endpoint', 'Why no operation covers it', 'With HTTP Request'];
	return `${sentence}\n\n${table(head, rows)}`;
}

/** The marked parts of each document, by path. */
const PARTS: Record<string, Record<string, string>> = {
	'README.md': {
		operations: listOf(operationNames()),
	},
	'docs/limits.md': { requirements: listOf(requirements()) },
	'docs/verification.md': {
		operations: listOf(offered.map(callsOf)),
		reference: ofReference(),
	},
	'docs/operations.md': {
		retries: table(['What happens', 'GET and DELETE', 'Changes by POST'], repeats()),
	},
	'docs/queue-mode.md': { operations: listOf(secondTimes()) },
};

const begin = (name: string) => `<!-- begin ${name} -->`;
const end = (name: string) => `<!-- end ${name} -->`;
const part = (name: string, content: string) => `${begin(name)}\n\n${content}\n\n${end(name)}`;

/** @throws when the document does not have the part */
function withPart(text: string, [name, content]: [name: string, content: string]): string {
	const [before, rest] = text.split(begin(name));
	const after = rest?.split(end(name))[1];
	if (after === undefined) throw new Error(`There is no ${begin(name)} with ${end(name)}`);
	return before + part(name, content) + after;
}

/** The outputs of all operations, in their order; that of deletes is the last one. */
const outputs = [...new Set(offered.map(({ output }) => output)).add(DELETED)];

const code = (name: string) => `\`${name}\``;

/** Which operations and events return an output, and its fields. */
function describeOutput(output: Output, schemas: Record<string, Schema>): string {
	const operations = offered.filter((each) => each.output === output);
	const isOfResource = operations[0].ofResource.output === output;
	const which = isOfResource
		? namesOf(operations)
		: output === DELETED
			? '*Delete* of every resource'
			: operations.map(({ title }) => title).join(', ');
	const names = new Set(
		operations.flatMap(({ pair }) => Object.keys(schemas[pair].properties ?? {})),
	);
	const unknown = Object.keys(output.fields).filter((name) => !names.has(name));
	if (unknown.length > 0) throw new Error(`${output.title} has no field ${unknown.join(', ')}`);
	const isCommon = (name: string) => !(name in output.fields) && name in COMMON;
	const rows = [...names].flatMap((name) => {
		const description = output.fields[name];
		if (description !== undefined) return [[code(name), description]];
		if (isCommon(name) || output.others !== undefined) return [];
		throw new Error(`The facts of ${output.title} do not describe ${name}`);
	});
	const common = [...names].filter(isCommon).map(code).join(', ');
	const sentences = [
		output.events === undefined ? which : `${which}; ${output.events}`,
		...(common === '' ? [] : [`[Common fields](#common-fields): ${common}`]),
		...(output.others === undefined ? [] : [output.others]),
	];
	const described = rows.length > 0 ? [listOf(rows)] : [];
	return [sentences.map((each) => `${each}.`).join(' '), ...described].join('\n\n');
}

/** Adds the section of a new output, which a person may move and add to; or one that only an event had. */
function withSection(text: string, { title }: Output): string {
	if (text.includes(begin(title))) return text;
	const section = `## ${title}\n\n${part(title, '')}\n\n`;
	const [before, ...rest] = text.split(`## ${title}\n`);
	return rest.length > 0
		? before + section + rest.join('').replace(/^.*?(?=^## )/ms, '')
		: text.replace(`## ${DELETED.title}\n`, (last) => section + last);
}

/**
 * Every document with its generated parts, by path.
 *
 * @param read returns a document as it is
 */
export function documents(
	schemas: Record<string, Schema>,
	read: (path: string) => string,
): Record<string, string> {
	const texts: Record<string, string> = {};
	for (const [path, parts] of Object.entries(PARTS)) {
		texts[path] = Object.entries(parts).reduce(withPart, read(path));
	}
	const path = 'docs/outputs.md';
	const common = Object.entries(COMMON).map(([name, description]) => [code(name), description]);
	const ofOutputs: Array<[string, string]> = [
		['Common fields', listOf(common)],
		...outputs.map((each): [string, string] => [each.title, describeOutput(each, schemas)]),
	];
	texts[path] = ofOutputs.reduce(withPart, outputs.reduce(withSection, read(path)));
	return texts;
}

/** Where n8n looks for schemas, in the folder of the node's version. */
export const SCHEMAS = 'nodes/Activepieces/__schema__/v1.0.0';

export const pathOf = (pair: string): string => `${SCHEMAS}/${pair.replace('.', '/')}.json`;

/** JSON as prettier writes it, with short lists of texts in one line. */
export const toJson = (value: unknown): string => {
	const text = JSON.stringify(value, null, '\t');
	const inOneLine = (list: string) => {
		const line = list.replace(/\s+/g, ' ').replace(/^\[ | \]$/g, (end) => end.trim());
		return line.length > 60 ? list : line;
	};
	return `${text.replace(/\[\s+("\w+",?\s+)+\]/g, inOneLine)}\n`;
};
