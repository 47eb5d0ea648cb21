// Turns recordings of real servers into the tables of test/contract: one row per exchange, with what
// was asked and the form of the answer, without bodies and without the ids of the recorded servers.
//
//   node scripts/contract-table.mjs <folder of recordings>
//
// The folder holds exchanges-<table>.md and samples/<version>/*.json.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { formOf, tryJson } from './contract-forms.mjs';
import { nameCommunityIds } from './contract-names.mjs';
import { laterCommunityRows, laterRows } from './later-table.mjs';
import { parseExchanges, parseShortExchanges } from './recorded-exchanges.mjs';

/** The tables, and the version whose samples belong to them. */
const ENTERPRISE = { 0.73: '0.73.0', 0.85: '0.85.2', 0.86: '0.86.0' };
/** The operations beyond the contract. */
const LATER = ['more-0.73', 'more-0.79', 'more-0.85'];
const COMMUNITY = ['ce-0.73', 'ce-0.79', 'ce-0.85', 'ce-0.86'];
const TARGET = fileURLToPath(new URL('../test/contract/', import.meta.url));

const [folder, ...only] = process.argv.slice(2);
if (!folder) {
	console.error('Usage: node scripts/contract-table.mjs <folder of recordings> [table]…');
	process.exit(2);
}

for (const [table, version] of Object.entries(ENTERPRISE)) {
	if (only.length > 0 && !only.includes(table)) continue;
	const exchanges = parseExchanges(readFileSync(join(folder, `exchanges-${table}.md`), 'utf8'));
	const samples = readSamples(join(folder, 'samples', version));
	write(table, exchanges, nameIds(exchanges, samples), samples);
}
for (const table of COMMUNITY) {
	if (only.length > 0 && !only.includes(table)) continue;
	const markdown = readFileSync(join(folder, `exchanges-${table}.md`), 'utf8');
	const exchanges = parseShortExchanges(markdown);
	write(table, exchanges, nameCommunityIds(markdown, exchanges));
}
for (const table of LATER) {
	if (only.length > 0 && !only.includes(table)) continue;
	save(table, laterRows(readFileSync(join(folder, `exchanges-${table}.md`), 'utf8')));
}
if (only.length === 0 || only.includes('more-ce')) {
	const markdown = readFileSync(join(folder, 'exchanges-more-ce.md'), 'utf8');
	for (const [release, rows] of laterCommunityRows(markdown)) save(`more-ce-${release}`, rows);
}

/** Writes one table, and fails when an id of the recorded server is left in it. */
function write(table, exchanges, names, samples = []) {
	const anonymous = (text) => replaceIds(text, names);
	const rows = [
		...samples.map((sample) => sampleRow(sample)),
		...exchanges.map((exchange) => exchangeRow(exchange, anonymous)),
	];
	const text = save(table, rows);
	const leaked = [...names.keys()].filter((id) => text.includes(id));
	if (leaked.length > 0) throw new Error(`Ids of the recorded server left: ${leaked.join(', ')}`);
}

function save(table, rows) {
	const text = `[\n${rows.map((row) => `\t${JSON.stringify(row)}`).join(',\n')}\n]\n`;
	const file = join(TARGET, `exchanges-${table}.json`);
	writeFileSync(file, text);
	console.log(`${file}: ${rows.length} rows, ${text.length} characters`);
	return text;
}

function readSamples(path) {
	if (!existsSync(path)) return [];
	return readdirSync(path)
		.sort()
		.map((file) => ({ file, ...JSON.parse(readFileSync(join(path, file), 'utf8')) }));
}

/** A name for every id of the recorded server that a request or a message mentions. */
function nameIds(exchanges, samples) {
	const names = new Map();
	const give = (id, name) => {
		if (id && !names.has(id)) names.set(id, `{${name}}`);
	};
	const PROJECTS = {
		'key, projectId of own platform': 'project',
		"key, another platform's projectId": 'foreignProject',
		'empty project': 'emptyProject',
		'second project': 'project2',
		'the same with ?projectId of that project': 'personalProject',
	};
	for (const { title, target, section, answer } of exchanges) {
		const query = new URLSearchParams(target.split('?')[1]);
		if (PROJECTS[title]) give(query.get('projectId'), PROJECTS[title]);
		if (title === 'folderId') give(query.get('folderId'), 'folder:Billing');
		if (title === 'folderId of another project') give(query.get('folderId'), 'folderOfProject2');
		const rows = /^first: (.*) \((\w{21})\) {2}last: (.*) \((\w{21})\)$/m.exec(answer);
		const kind = section.includes('templates')
			? 'template'
			: section.includes('flows')
				? 'flow'
				: '';
		if (rows && kind) {
			give(rows[2], `${kind}:${rows[1]}`);
			give(rows[4], `${kind}:${rows[3]}`);
		}
		const one = tryJson(answer);
		if (one?.displayOrder !== undefined) give(one.id, `folder:${one.displayName}`);
		if (one?.name?.startsWith('Template ')) give(one.id, `template:${one.name}`);
		const unpublished = /flowId=(\w{21})/.exec(answer)?.[1];
		if (unpublished) give(unpublished, 'flow:Notify flow 259');
	}
	for (const [title, name] of [
		["another platform's key", 'foreignPlatform'],
		["another platform's projectId", 'platform'],
	]) {
		const refused = exchanges.find((exchange) => exchange.title === title);
		give(tryJson(refused.answer)?.params?.platformId, name);
	}
	for (const { body } of samples) {
		give(body.data?.[0]?.platformId, 'platform');
		for (const row of body.data ?? []) {
			if (row.displayOrder !== undefined) give(row.id, `folder:${row.displayName}`);
		}
	}
	// Deleted rows that no answer named: which one it was does not matter, only that it exists.
	let template = 44;
	let invitation = 0;
	for (const { method, section, target, title } of exchanges) {
		const id = /\/(\w{21})\/?(?:\?|$)/.exec(target)?.[1];
		if (method !== 'DELETE' || !id || /^A+$/.test(id)) continue;
		if (section.includes('templates')) {
			const special = /a (SHARED|PROJECT) template/.exec(title)?.[1];
			const taken = new Set(names.values());
			while (taken.has(`{template:Template ${template}}`)) template--;
			give(id, `template:${special ?? `Template ${template}`}`);
		} else if (!names.has(id)) {
			const type = title.startsWith('project invitation') ? 'PROJECT' : 'PLATFORM';
			give(id, `invitation:${type}:${invitation++}`);
		}
	}
	return names;
}

function replaceIds(text, names) {
	let result = text;
	for (const [id, name] of names) {
		result = result.replaceAll(id, name).replaceAll(id.toLowerCase(), name.replace('{', '{lower:'));
	}
	return result;
}

function exchangeRow(exchange, anonymous) {
	const { number, title, method, target, headers, body, status, type, answer } = exchange;
	const plan = /^plan without (global connections|templates)/.exec(title)?.[1];
	return {
		n: number,
		title,
		// The recording's notes: the first 50 of a minute were 401.
		...(status === 429 ? { times: 51, elapsed: elapsedOf(answer) } : {}),
		...(plan
			? { plan: plan === 'templates' ? 'manageTemplatesEnabled' : 'globalConnectionsEnabled' }
			: {}),
		method,
		path: generated(anonymous(target.replace(/^http:\/\/[^/]+/, '')), title),
		...(Object.keys(headers).length > 0 ? { headers: credentials(headers) } : {}),
		...(body === '' ? {} : { body: generated(anonymous(untrimmed(body))) }),
		status,
		type,
		...(method === 'HEAD' ? {} : answerForm(answer, type, anonymous)),
	};
}

/** Seconds since the first of a minute's requests, from the time that the refusal tells. */
function elapsedOf(answer) {
	const left = /retry in (\d+) seconds/.exec(answer)?.[1];
	return left ? 60 - Number(left) : 0;
}

function sampleRow({ file, request, status, body }) {
	const [method, target] = request.split(' ');
	const path = target
		.replaceAll('{projectId}', '{project}')
		.replaceAll('{folderId}', '{folder:Marketing}');
	const { data, ...rest } = body;
	const form = data
		? {
				keys: Object.keys(body).sort(),
				// The sample of templates holds the first three only.
				...(file.startsWith('templates') ? {} : { count: data.length }),
				next: cursorForm(rest.next),
				previous: cursorForm(rest.previous),
				item: formOf(data[0]),
			}
		: { fields: formOf(body) };
	const title = `sample ${file.replace('.json', '')}`;
	const headers = { authorization: 'Bearer {key}' };
	return {
		n: file,
		title,
		method,
		path: `/api${path}`,
		headers,
		status,
		type: 'application/json',
		...form,
	};
}

/** The form of an answer: of an error its code and message, of a list its envelope, else its fields. */
function answerForm(answer, type, anonymous) {
	if (answer.trim() === '') return { empty: true };
	if (type !== 'application/json') return {};
	const list = /^\{ data: \[(\d+) items\], next: (.*), previous: (.*) \} {3}keys=(.*)$/m.exec(
		answer,
	);
	if (list) {
		const [, count, next, previous, keys] = list;
		const rows = /^first: (.*) \(\w{21}\) {2}last: (.*) \(\w{21}\)$/m.exec(answer);
		const item = /^item\[0\] = (.*)$/m.exec(answer)?.[1];
		return {
			keys: keys.split(',').sort(),
			count: Number(count),
			next: cursorForm(JSON.parse(next)),
			previous: cursorForm(JSON.parse(previous)),
			...(rows ? { first: rows[1], last: rows[2] } : {}),
			...(item ? { item: formOf(JSON.parse(item)) } : {}),
		};
	}
	const body = JSON.parse(answer);
	if (Array.isArray(body.data)) return listForm(body);
	if (typeof body.code === 'string' || typeof body.statusCode === 'number') {
		return {
			error: {
				keys: Object.keys(body).sort(),
				code: body.code ?? null,
				message: anonymous(body.message ?? body.params?.message ?? '') || null,
				...(body.params ? { params: JSON.parse(anonymous(JSON.stringify(body.params))) } : {}),
			},
		};
	}
	if (Array.isArray(body)) return { fields: formOf(body) };
	const name = body.displayName;
	const kept = name !== undefined && !/…\(\d+ chars\)$/.test(name);
	const { '…': more, ...told } = body;
	return {
		fields: formOf(told),
		...(more === undefined ? {} : { partial: true }),
		...(kept ? { displayName: name } : {}),
	};
}

/** A list of a recording that shortens it to its first records. */
function listForm({ data, next, previous, ...rest }) {
	const more = /^…(\d+) more$/.exec(data.at(-1))?.[1];
	const rows = more ? data.slice(0, -1) : data;
	const [first, last] = [rows[0], rows.at(-1)].map(
		(row) => row && (row.displayName ?? row.name ?? row.version?.displayName),
	);
	return {
		keys: ['data', 'next', 'previous', ...Object.keys(rest)].sort(),
		count: rows.length + Number(more ?? 0),
		next: cursorForm(next),
		previous: cursorForm(previous),
		...(first === undefined ? {} : { first }),
		...(last === undefined || more ? {} : { last }),
		...(rows.length === 0 ? {} : { item: formOf(rows[0]) }),
	};
}

/** A cursor that follows from times the data set reproduces stays as it is; of others only that it is there. */
function cursorForm(cursor) {
	if (cursor === null) return null;
	const inner = Buffer.from(cursor, 'base64').toString().slice('next_'.length);
	const text = Buffer.from(inner, 'base64').toString();
	const time = Number(/^created:(\d+)$/.exec(text)?.[1] ?? Date.parse(tryJson(text)?.updated));
	const reproduced =
		time < Date.parse('2026-02-01') ||
		/"2026-(03-01T|06-0)/.test(text) ||
		(time >= Date.parse('2026-11-20') && time < Date.parse('2026-11-21'));
	return reproduced ? cursor : true;
}

function credentials(headers) {
	const texts = {
		$AP_API_KEY_2: '{otherPlatformKey}',
		$AP_API_KEY: '{key}',
		$USER_TOKEN: '{userToken}',
		$MEMBER_TOKEN: '{memberToken}',
		$EXPIRED_TOKEN: '{expiredToken}',
		$GARBLED_TOKEN: '{garbledToken}',
		$REVOKED_TOKEN: '{revokedToken}',
		$TOKEN_OF_A_DELETED_USER: '{deletedUserToken}',
		$FRESH_TOKEN: '{freshToken}',
		'sk-aaaa…': '{wrongKey}',
	};
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [
			name,
			Object.entries(texts).reduce((text, [from, to]) => text.replace(from, to), value),
		]),
	);
}

/** A request body the recording trimmed: `"nnn…(318 bytes)`, of one repeated character. */
function untrimmed(body) {
	const match = /^(.*":")(\S)\2*…\((\d+) bytes\)$/.exec(body);
	if (!match) return body;
	const [, before, character, bytes] = match;
	return `${before}${character.repeat(Number(bytes) - before.length - 2)}"}`;
}

/**
 * Long text as parts: literal text, `{repeat, times}` and `{series, count}` (numbered from 0, joined by &).
 * Where the recording cut a query short (…), the title tells how long it was.
 */
function generated(text, title = '') {
	const ONE = String.raw`externalIds(?:\[\d*\])?=ext-flow-\d*`;
	const series = new RegExp(`(${ONE})(?:&${ONE}){19,}(?:&[^&…]*(?=…))?(…?)$`).exec(text);
	if (series) {
		const told = Number(/repeated (\d+) times/.exec(title)?.[1]);
		const count = series[2] ? told : series[0].split('&').length;
		const part = series[1].replace('[0]', '[{i}]').replace('000', '{iii}');
		return [text.slice(0, series.index), { series: part, count }];
	}
	const run = /(.)\1{199,}(…?)/.exec(text);
	if (!run) return text;
	const times = run[2] ? Number(/(\d+) kB/.exec(title)[1]) * 1000 : run[0].length;
	const after = text.slice(run.index + run[0].length);
	return [text.slice(0, run.index), { repeat: run[1], times }, ...(after ? [after] : [])];
}
