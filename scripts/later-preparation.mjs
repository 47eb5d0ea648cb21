import { parsed, rowsOf } from './later-answers.mjs';
import { UNPUBLISHED_FLOW } from './later-names.mjs';

const ID = /\b[0-9A-Za-z]{21}\b/g;
const HOUR = 3_600_000;

/** Published flows, for a recording that does not tell which. */
const COMMUNITY_FLOWS = [
	'Rechnung prüfen 01',
	'Notify 04',
	'Sync contacts 07',
	'Cleanup 10',
	'Export to sheet 13',
].map((name) => `{flow:${name}}`);
const UNPUBLISHED_COMMUNITY_FLOW = 'Sync contacts 12';

/** What was done to the recorded server before an exchange, which is to be done to the stand-in as well. */
export function preparation({ section, title }, isFirst, { markdown, exchanges, anonymous }) {
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
	if (/5\. Flow runs/.test(section) && /^(default limit|list)$/.test(title)) {
		const list = /60 rows of 5 published flows \(([^)]*)\)/.exec(markdown)?.[1];
		const first = exchanges.find((each) => each.section === section);
		const [run] = parsed(first.answer).value.data;
		const at = new Date(Date.parse(run.created) + HOUR).toISOString();
		const flows = list?.match(ID).map(anonymous) ?? COMMUNITY_FLOWS;
		const unpublished = list ? UNPUBLISHED_FLOW : UNPUBLISHED_COMMUNITY_FLOW;
		return { runs: { at, flows, unpublished: `{flow:${unpublished}}` } };
	}
	if (title === 'retry FROM_FAILED_STEP') {
		return { time: parsed(exchanges.find((each) => each.title === title).answer).value.updated };
	}
	if (/^bulk retry with flowRunIds: \[\]/.test(title)) return { runsOfProject2: 4 };
	if (/three good runs/.test(title)) return { goodRuns: 3 };
	if (/put in by SQL/.test(title)) return { personalInvitation: true };
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
		.filter(({ section, row }) => /2\. Folders/.test(section) && row.displayOrder !== undefined)
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
