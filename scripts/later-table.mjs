// The table of a recording exchanges-more-<release>.md: the exchanges of the operations beyond the
// contract, without the ids of the recorded server, and with what was done to that server in between.

import { formOf, tryJson } from './contract-forms.mjs';
import { parseShortExchanges } from './recorded-exchanges.mjs';

/** For flows of which only the id was recorded: drafts that nothing else happens to. */
const SOME_FLOWS = ['Notify flow 007', 'Notify flow 013', 'Notify flow 019', 'Notify flow 025'];
const UNPUBLISHED_FLOW = 'Notify flow 001';

const ID = /\b[0-9A-Za-z]{21}\b/g;
const HOUR = 3_600_000;

/** Of the recording's own making: flows that were put in by SQL have these in some answers. */
const leftOut = (key, value) => key === 'inputUiInfo' || (key === 'nextAction' && value === null);

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
	rows.splice(
		rows.findIndex(({ n }) => String(n).startsWith('5b')),
		0,
		...walkRows(markdown),
	);
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

/** A name for every id of the recorded server. */
function nameIds(markdown, exchanges) {
	const names = new Map();
	const give = (id, name) => {
		if (id && !names.has(id) && !id.startsWith('unknown')) names.set(id, `{${name}}`);
	};
	nameProjects(markdown, give);
	for (const exchange of exchanges) nameByTitle(exchange, give);
	for (const exchange of exchanges) nameRows(exchange, give);
	nameFlows(markdown, give);
	const drafts = [...SOME_FLOWS];
	for (const { target, answer } of exchanges) {
		const flow = /^\/api\/v1\/flows\/(\w{21})/.exec(target)?.[1];
		if (flow && !names.has(flow)) give(flow, `flow:${drafts.shift()}`);
		const version = names.get(flow)?.replace('{flow:', 'versionOf:').replace('}', '');
		give(parsed(answer)?.value?.params?.flowVersionId, version);
		give(/^\/api\/v1\/user-invitations\/(\w{21})/.exec(target)?.[1], 'invitation:some');
	}
	return names;
}

function nameProjects(markdown, give) {
	const line = /^Projects?:? .*$/m.exec(markdown)[0];
	const id = (text) => new RegExp(`${text} \`(\\w{21})\``).exec(line)?.[1];
	give(id('Project One'), 'project');
	give(id('Project Two'), 'project2');
	give(id('Empty Project'), 'emptyProject');
	give(id('personal project of the admin'), 'personalProject');
	give(id("other platform's project"), 'foreignProject');
}

/** Ids that only the title of an exchange explains. */
function nameByTitle({ title, target, body, answer, headers }, give) {
	const ofPath = /\/(\w{21})(?:[/?]|$)/.exec(target)?.[1];
	const params = parsed(answer)?.value?.params;
	give(params?.platformId, headers.authorization?.includes('_2') ? 'foreignPlatform' : 'platform');
	if (params?.userId) give(params.userId, /Operator/.test(title) ? 'operator' : 'viewer');
	if (/^delete: another platform's folder/.test(title)) give(ofPath, 'foreignFolder');
	if (/^another platform's flow/.test(title)) give(ofPath, 'foreignFlow');
	if (/^another platform's run/.test(title)) give(ofPath, 'foreignRun');
	if (/run 45 days old/.test(title)) give(ofPath, 'run:old');
	if (/^ON_LATEST_VERSION of a flow without/.test(title)) {
		give(ofPath, 'run:unpublished');
		give(params?.entityId, `flow:${UNPUBLISHED_FLOW}`);
	}
	if (/whose project is PERSONAL/.test(title)) give(ofPath, 'invitation:personal');
	if (/^bulk archive/.test(title)) give(JSON.parse(body).flowRunIds[0], 'run:any:0');
	if (/three good runs/.test(title)) {
		const [a, b, c, unpublished] = JSON.parse(body).flowRunIds;
		[a, b, c].forEach((id, i) => give(id, `run:any:${i + 1}`));
		give(unpublished, 'run:unpublished');
	}
}

/** Ids of rows that an answer shows, and of those it made. */
function nameRows({ number, method, target, title, answer }, give) {
	const value = parsed(answer)?.value;
	if (!value) return;
	for (const row of rowsOf(value)) {
		give(row.platformId, title.startsWith('key of another') ? 'foreignPlatform' : 'platform');
		if (row.email && row.type) give(row.id, `invitation:${row.email}`);
		else if (row.email)
			give(row.id, row.platformRole === 'ADMIN' ? 'admin' : row.firstName.toLowerCase());
		if (row.displayOrder !== undefined && method === 'GET')
			give(row.id, `folder:${row.displayName}`);
		if (row.flowVersionId && row.created && method === 'GET') give(row.id, `run:${row.created}`);
	}
	if (method === 'POST' && /folders$|\/retry$/.test(target) && !target.includes(value.id)) {
		give(value.id, `made:${number}`);
	}
	if (/versionId$/.test(title)) give(value.version?.id, `versionOf:${value.version?.displayName}`);
}

/** Flows by the name of their first version. */
function nameFlows(markdown, give) {
	for (const [, id, name] of markdown.matchAll(/"flowId":"(\w{21})","displayName":"([^"]*)"/g)) {
		give(id, `flow:${name}`);
	}
	const OLD = /"flowId":"(\w{21})"[^{}]*"flowVersion":\{"displayName":"([^"]*)"/g;
	for (const [, id, name] of markdown.matchAll(OLD)) give(id, `flow:${name}`);
}

function rowsOf(value) {
	if (Array.isArray(value)) return value.filter((row) => typeof row === 'object');
	if (Array.isArray(value.data)) return rowsOf(value.data);
	return typeof value === 'object' ? [value] : [];
}

/** What was done to the recorded server before an exchange, which is to be done to the stand-in as well. */
function preparation({ section, title }, isFirst, { markdown, exchanges, anonymous }) {
	if (isFirst) return { seed: seedOf(exchanges) };
	if (/^publish a draft with a valid trigger/.test(title)) {
		const targets = exchanges.filter(
			({ title, method }) =>
				method === 'POST' && /^(publish a draft|CHANGE_STATUS ENABLED w(hile|ith no))/.test(title),
		);
		const second = exchanges.find(({ title }) => /^a second operation/.test(title));
		const flows = [
			...new Set([...targets, second].map(({ target }) => anonymous(target.slice(14)))),
		];
		const byNote = /the last three of them \(`(\w+)`, `(\w+)`, `(\w+)`\)/.exec(markdown).slice(1);
		const published = byNote.map(anonymous);
		return { webhooks: [...new Set([...flows, ...published])], published };
	}
	if (section.startsWith('5. ') && title === 'default limit') {
		const list = /60 rows of 5 published flows \(([^)]*)\)/.exec(markdown)[1];
		const first = exchanges.find((each) => each.section === section);
		const [run] = parsed(first.answer).value.data;
		const at = new Date(Date.parse(run.created) + HOUR).toISOString();
		return {
			runs: { at, flows: list.match(ID).map(anonymous), unpublished: `{flow:${UNPUBLISHED_FLOW}}` },
		};
	}
	if (title === 'retry FROM_FAILED_STEP') {
		return { time: parsed(exchanges.find((each) => each.title === title).answer).value.updated };
	}
	if (/^bulk retry with flowRunIds: \[\]/.test(title)) return { runsOfProject2: 4 };
	if (/three good runs/.test(title)) return { goodRuns: 3 };
	if (/^delete an invitation \(put in by SQL\)/.test(title)) return { personalInvitation: true };
	if (/^a second operation/.test(title)) return { enable: true };
	if (/while the trigger hook FAILS/.test(title)) return { hook: 'fails' };
	if (/the hook works now/.test(title)) return { hook: 'works' };
	if (/with no worker at all/.test(title)) return { worker: 'stopped' };
	if (/while another user edited/.test(title)) return { edited: true };
	return undefined;
}

/** Names and times of the rows the recorded server had at first. */
function seedOf(exchanges) {
	const seen = exchanges.flatMap(({ section, method, answer }) => {
		const value = method === 'GET' && parsed(answer)?.value;
		return value ? rowsOf(value).map((row) => ({ section, row })) : [];
	});
	const unique = (rows, key) => [...new Map(rows.map((row) => [row[key], row])).values()];
	const folders = seen
		.filter(({ section, row }) => section.startsWith('2.') && row.displayOrder !== undefined)
		.map(({ row: { displayName, created } }) => ({ displayName, created }));
	const people = seen.filter(({ row }) => row.email);
	const invitations = people
		.filter(({ row }) => row.type)
		.map(({ row: { email, type, created } }) => ({ email, type, created }));
	const users = people
		.filter(({ row }) => !row.type)
		.map(({ row: { email, firstName, lastName, created } }) => ({
			email,
			firstName,
			lastName,
			created,
		}));
	const personal = seen.find(({ row }) => row.type === 'PERSONAL').row.displayName;
	return {
		personal,
		folders: unique(folders, 'displayName'),
		invitations: unique(invitations, 'email'),
		users: unique(users, 'email'),
	};
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
		...withoutNames(title, answerForm(answer, type, anonymous)),
		...stateAfter(note),
	};
}

/** The other platform's rows have names of their own. */
function withoutNames(title, { first, last, ...form }) {
	if (title.startsWith('key of another')) return form;
	return { ...form, ...(first ? { first } : {}), ...(last ? { last } : {}) };
}

/** The walks of section 10 through all runs, page by page. */
function walkRows(markdown) {
	const WALK =
		/^\*\*GET \/v1\/flow-runs, limit=(\d+).*?\*\*: SQL holds (\d+), the walk saw (\d+) in (\d+) pages/gm;
	return [...markdown.matchAll(WALK)].map(([, limit, rows, seen, pages]) => ({
		n: `10.${limit}`,
		title: `all runs by pages of ${limit}`,
		method: 'GET',
		path: `/api/v1/flow-runs?projectId={project}&limit=${limit}`,
		headers: { authorization: 'Bearer {key}' },
		walk: { rows: Number(rows), seen: Number(seen), pages: Number(pages) },
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

/** An answer as JSON; of one cut off in the middle of its first record, the fields that are whole. */
function parsed(answer) {
	const text = answer.replace(/\s*⟵ shortened; \d+ characters in all$/, '');
	const whole = tryJson(text);
	if (whole !== null || !text.startsWith('{')) return { value: whole, cut: false };
	for (let end = text.lastIndexOf(',"'); end > 0; end = text.lastIndexOf(',"', end - 1)) {
		const start = text.slice(0, end);
		for (const close of [']}', '}]}', '}']) {
			const value = tryJson(start + close);
			if (value !== null) return { value, cut: true };
		}
	}
	return undefined;
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
