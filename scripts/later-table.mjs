// The table of a recording exchanges-more-<release>.md: the exchanges of the operations beyond the
// contract, without the ids of the recorded server, and with what was done to that server in between.

import { formOf } from './contract-forms.mjs';
import { parsed } from './later-answers.mjs';
import { nameIds } from './later-names.mjs';
import { preparation } from './later-preparation.mjs';
import { parseShortExchanges } from './recorded-exchanges.mjs';

const ID = /\b[0-9A-Za-z]{21}\b/g;

/** Of the recording's own making: flows that were put in by SQL have these in some answers. */
const leftOut = (key, value) => key === 'inputUiInfo' || (key === 'nextAction' && value === null);

/** The tables of a recording of the Community edition, which holds several releases, by release. */
export function laterCommunityRows(markdown) {
	const parts = markdown.split(/^# Release (?=\d)/m).slice(1);
	return new Map(parts.map((part) => [/^\d+\.\d+/.exec(part)[0], laterRows(part)]));
}

/** The rows of a recording's table. */
export function laterRows(markdown) {
	const exchanges = parseShortExchanges(markdown).filter(({ section }) => isPlayed(section));
	// Section 5b was recorded after all the others.
	exchanges.sort((a, b) => Number(a.section.startsWith('5b')) - Number(b.section.startsWith('5b')));
	const notes = readNotes(markdown);
	const names = nameIds(markdown, exchanges);
	const anonymous = (text) => text.replace(ID, (id) => names.get(id) ?? id);
	const rows = [];
	let last = {};
	for (const [index, exchange] of exchanges.entries()) {
		const note = notes.get(`${exchange.section}/${exchange.number}`) ?? '';
		const row = laterRow(exchange, anonymous, last, note);
		const before = preparation(exchange, index === 0, { markdown, exchanges, anonymous });
		rows.push({ ...row, ...(before ? { before } : {}) });
		const answer = parsed(exchange.answer);
		if (answer?.value?.data) last = answer.value;
	}
	const ids = JSON.stringify(rows).match(ID) ?? [];
	const last5 = rows.findIndex(({ n }) => String(n).startsWith('5b'));
	rows.splice(last5 < 0 ? rows.length : last5, 0, ...walkRows(markdown));
	const left = ids.filter((id) => !id.startsWith('unknown'));
	if (left.length > 0)
		throw new Error(`Ids of the recorded server left: ${[...new Set(left)].join(', ')}`);
	return rows;
}

/** Sections 7, 8 and 10 are not about these operations, or no exchanges. */
function isPlayed(section) {
	return /^(?:CE \S+ – )?([1-6]|5b|9)\. /.test(section);
}

/** What the recording says after an exchange, by section and number. */
function readNotes(markdown) {
	const notes = new Map();
	let section = '';
	for (const part of markdown.split(/^(?=\*\*\d+\.\*\*|#{2,3} )/m)) {
		if (part.startsWith('#')) section = part.slice(0, part.indexOf('\n')).replace(/^#+ /, '');
		const match = /^\*\*(\d+)\.\*\*.*\n```http\n[^]*?\n```\n([^]*)/.exec(part);
		if (match) notes.set(`${section}/${match[1]}`, match[2].trim());
	}
	return notes;
}

function laterRow(exchange, anonymous, last, note) {
	const { section, number, method, target, headers, body, status, type, answer } = exchange;
	const title = exchange.title.replace(/ \(\d+ ms\)$/, '');
	const plan = title.startsWith('plan without project roles') ? 'projectRolesEnabled' : undefined;
	return {
		n: section.startsWith('5b') ? `5b.${number}` : number,
		title: anonymous(title),
		...(plan ? { plan } : {}),
		method,
		path: anonymous(withoutCursor(target, last)),
		...(Object.keys(headers).length > 0 ? { headers: credentials(headers) } : {}),
		...(body === '' ? {} : { body: repeated(anonymous(body)) }),
		status,
		type,
		...withoutNames(exchange, answerForm(answer, type, anonymous)),
		...stateAfter(note),
	};
}

/** The other platform's rows have names of their own, and so have flows of the Community edition. */
function withoutNames({ section, title }, { first, last, displayName, ...form }) {
	if (title.startsWith('key of another')) return form;
	if (/^CE .*[45]\. Flow/.test(section)) {
		delete form.fields?.folderId;
		delete form.item?.flowVersion?.updatedBy;
		return { ...form, partial: true };
	}
	const names = { first, last, displayName };
	return {
		...form,
		...Object.fromEntries(Object.entries(names).filter(([, name]) => name !== undefined)),
	};
}

/** The walks of section 10 through all runs, page by page. */
function walkRows(markdown) {
	const WALK =
		/^(?:\*\*)?GET \/v1\/flow-runs, limit=(\d+).*?: SQL(?: holds)? (\d+),(?: the walk saw| seen) (\d+)(?: in (\d+) pages)?/gm;
	return [...markdown.matchAll(WALK)].map(([, limit, rows, seen, pages]) => ({
		n: `10.${limit}`,
		title: `all runs by pages of ${limit}`,
		method: 'GET',
		path: `/api/v1/flow-runs?projectId={project}&limit=${limit}`,
		headers: { authorization: `Bearer {${pages ? 'key' : 'userToken'}}` },
		walk: {
			rows: Number(rows),
			seen: Number(seen),
			...(pages ? { pages: Number(pages) } : {}),
		},
	}));
}

/** A cursor is what the list before gave: it holds ids. */
function withoutCursor(target, last) {
	const cursor = new URL(target, 'http://service').searchParams.get('cursor');
	const name = cursor && { [last.next]: 'lastNext', [last.previous]: 'lastPrevious' }[cursor];
	return name ? target.replace(/cursor=[^&]*/, `cursor={${name}}`) : target;
}

/** How a flow stands after a change: at once, and in the end. */
function stateAfter(note) {
	const STATE =
		/(\d+) s(?: later)?: status (\w+), operationStatus (\w+), publishedVersionId (\w+), version.state (\w+)/g;
	const states = [...note.matchAll(STATE)].map(([, , status, operationStatus, version, state]) => ({
		status,
		operationStatus,
		published: version !== 'null',
		state,
	}));
	if (states.length === 0) return {};
	return { then: { ...(states.length > 1 ? { atOnce: states[0] } : {}), settled: states.at(-1) } };
}

/** The form of an answer: of an error its code and message, of a list its envelope, else its fields. */
function answerForm(answer, type, anonymous) {
	if (answer.trim() === '') return { empty: true };
	if (type !== 'application/json') return {};
	const { value, cut } = parsed(answer);
	if (typeof value === 'number') return { value };
	if (Array.isArray(value)) {
		const { rows, count } = uncounted(value);
		return { elements: count, ...(rows[0] ? { item: formOf(rows[0], leftOut) } : {}) };
	}
	if (Array.isArray(value.data)) return listForm(value, cut);
	if (typeof value.code === 'string' || typeof value.statusCode === 'number') {
		const { projectRole, ...params } = value.params ?? {};
		return {
			error: {
				keys: Object.keys(value).sort(),
				code: value.code ?? null,
				message: anonymous(value.message ?? params.message ?? '') || null,
				...(value.params ? { params: JSON.parse(anonymous(JSON.stringify(params))) } : {}),
			},
		};
	}
	const { displayName } = value;
	const kept = displayName !== undefined && displayName.length < 200;
	return {
		fields: formOf(value, leftOut),
		...(cut ? { partial: true } : {}),
		...(kept ? { displayName } : {}),
		...(value.operationStatus ? { state: [value.status, value.operationStatus] } : {}),
	};
}

function listForm(body, cut) {
	const { data, next, previous } = body;
	const { rows, count } = uncounted(data);
	const [first, last] = [rows[0], rows.at(-1)].map((row) => row && nameOf(row));
	const cursor = (value) => (typeof value === 'string' ? true : value);
	return {
		...(cut ? {} : { keys: Object.keys(body).sort(), count }),
		...(next === undefined ? {} : { next: cursor(next) }),
		...(previous === undefined ? {} : { previous: cursor(previous) }),
		...(first === undefined ? {} : { first }),
		...(last === undefined || cut || count > rows.length ? {} : { last }),
		...(rows[0] ? { item: formOf(rows[0], leftOut) } : {}),
		...(cut ? { partial: true } : {}),
	};
}

function nameOf(row) {
	return row.displayName ?? row.email ?? row.version?.displayName ?? row.flowVersion?.displayName;
}

/** `"…n more"` at the end of a list that the recording shortened. */
function uncounted(list) {
	const more = /^…(\d+) more$/.exec(list.at(-1))?.[1];
	const rows = more ? list.slice(0, -1) : list;
	return { rows, count: rows.length + Number(more ?? 0) };
}

function credentials(headers) {
	const texts = {
		$AP_API_KEY_2: '{otherPlatformKey}',
		$API_KEY_2: '{otherPlatformKey}',
		$API_KEY: '{key}',
		$USER_TOKEN: '{userToken}',
		$OPERATOR_TOKEN: '{operatorToken}',
		$VIEWER_TOKEN: '{viewerToken}',
		$MEMBER_TOKEN: '{memberToken}',
	};
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [
			name,
			Object.entries(texts).reduce((text, [from, to]) => text.replace(from, to), value),
		]),
	);
}

/** Long text of one character as `{repeat, times}` between the rest. */
function repeated(text) {
	const run = /(.)\1{199,}/.exec(text);
	if (!run) return text;
	const after = text.slice(run.index + run[0].length);
	return [text.slice(0, run.index), { repeat: run[1], times: run[0].length }, after];
}
