import { parsed, rowsOf } from './later-answers.mjs';

/** For flows of which only the id was recorded: drafts that nothing else happens to. */
const SOME_FLOWS = ['Notify flow 007', 'Notify flow 013', 'Notify flow 019', 'Notify flow 025'];
export const UNPUBLISHED_FLOW = 'Notify flow 001';

/** Flows of the Community recordings, whose own names are others in the stand-in. */
const COMMUNITY_FLOWS = [
	[/^one flow$/, 'Sync contacts 02'],
	[/^CHANGE_STATUS DISABLED \(seeded flow/, 'Sync contacts 07'],
	[/^CHANGE_STATUS ENABLED without/, 'Export to sheet 03'],
	[/^LOCK_AND_PUBLISH, EMPTY/, 'Cleanup 05'],
];

/** A name for every id of the recorded server. */
export function nameIds(markdown, exchanges) {
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
	// Of the Community edition:
	give(id('^Project'), 'project');
	give(id("member's project"), 'secondProject');
}

/** Ids that only the title of an exchange explains. */
function nameByTitle({ title, method, target, body, answer, headers }, give) {
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
	if (/^another user's flow/.test(title)) give(ofPath, 'flow:Zoës Flow');
	if (/^another user's run/.test(title)) give(ofPath, 'run:second');
	const role = COMMUNITY_FLOWS.find(([text]) => text.test(title));
	if (role && !method.startsWith('D')) give(ofPath, `flow:${role[1]}`);
	if (/whose project is PERSONAL|^its deletion/.test(title)) give(ofPath, 'invitation:personal');
	if (/^bulk archive/.test(title)) give(JSON.parse(body).flowRunIds[0], 'run:any:0');
	if (/three good runs/.test(title)) {
		const [a, b, c, unpublished] = JSON.parse(body).flowRunIds;
		[a, b, c].forEach((id, i) => give(id, `run:any:${i + 1}`));
		give(unpublished, 'run:unpublished');
	}
}

/** Ids of rows that an answer shows, and of those it made. */
function nameRows({ number, method, target, title, body, answer }, give) {
	const value = parsed(answer)?.value;
	if (!value) return;
	for (const row of rowsOf(value)) {
		give(row.platformId, title.startsWith('key of another') ? 'foreignPlatform' : 'platform');
		if (row.email && row.type) give(row.id, `invitation:${row.email}`);
		else if (row.email)
			give(row.id, row.platformRole === 'ADMIN' ? 'admin' : row.firstName.toLowerCase());
		if (row.displayOrder !== undefined && method === 'GET')
			give(row.id, `folder:${row.displayName}`);
		const asked = method === 'GET' || `${target}${body}`.includes(row.id);
		if (row.flowVersionId && row.created && asked) give(row.id, `run:${row.created}`);
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
