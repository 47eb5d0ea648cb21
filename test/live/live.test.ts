import { createEngine, type Engine } from '../engine/harness/engine';
import { skipWaits } from '../engine/harness/built';
import {
	type Edition,
	type Fault,
	type Release,
	type Service,
	type ServiceOptions,
	startService,
} from '../service';
import { checkServer, type Report } from './checkServer';
import { pairsOf } from './pairs';
import { reads } from './reads';
import type { Settings } from './settings';
import { PREFIX } from './writes';

let engine: Engine;
let service: Service | undefined;

beforeAll(async () => {
	engine = await createEngine();
	skipWaits();
});
afterEach(async () => {
	await service?.close();
	service = undefined;
});

async function start(options: ServiceOptions = {}): Promise<Service> {
	service = await startService(options);
	return service;
}

/** What a person sets for a server of that edition. */
function settingsFor(server: Service, given: Partial<Settings> = {}): Settings {
	const { baseUrl, edition, apiKey, userToken } = server;
	const key = edition === 'enterprise' ? apiKey : userToken;
	return { baseUrl, login: { apiKey: key }, write: false, ...given };
}

const checked = async (settings: Settings): Promise<Report> =>
	await checkServer(settings, engine, 'versions').report;

/** Result and details of a row of the table. */
function row({ text }: Report, name: string): string {
	const line = text.split('\n').find((each) => each.startsWith(`| ${name} `));
	if (line === undefined) throw new Error(`No row ${name} in:\n${text}`);
	const [, result, , , details] = line.replace(/ +\|$/, '').split(' | ');
	return `${result.trim()}: ${details}`;
}

const changesOf = ({ requests }: Service) => requests.filter(({ method }) => method !== 'GET');

/** The oldest, the newest, and the one whose answers are between them; each edition with both forms of them. */
const SERVERS: Array<{ release: Release; edition: Edition }> = [
	{ release: '0.73', edition: 'enterprise' },
	{ release: '0.79', edition: 'community' },
	{ release: '0.86', edition: 'enterprise' },
	{ release: '0.86', edition: 'community' },
];

test.each(SERVERS)(
	'on $release, $edition, nothing is wrong, and only a folder and a flow of its own are changed',
	async ({ release, edition }) => {
		const server = await start({ release, edition });
		const before = structuredClone(server.data.folders);
		const flows = structuredClone(server.data.flows);
		const report = await checked(settingsFor(server, { write: true }));
		expect(report.text).not.toContain('✗');
		expect(report.isRight).toBe(true);
		const shown = edition === 'community' ? 'Community' : 'Enterprise';
		expect(row(report, 'Release and edition')).toMatch(
			new RegExp(`^✓ works: ${release}\\.\\d, ${shown}$`),
		);
		expect(row(report, 'Folder → Update')).toBe('✓ works: renamed');
		expect(row(report, 'Flow → Update')).toBe('✓ works: renamed');
		expect(row(report, 'Flow → Import')).toBe('✓ works: imported and exported again');
		expect(row(report, 'Flow → Run')).toBe('✓ works: run, and its answer read');
		expect(server.data.folders).toEqual(before);
		expect(server.data.flows).toEqual(flows);
		for (const kind of ['folders', 'flows']) {
			const [created, ...others] = changesOf(server).filter(({ path }) =>
				path.startsWith(`/v1/${kind}`),
			);
			expect(created.body).toMatchObject({ displayName: expect.stringContaining(PREFIX) });
			// Of flows: renamed, imported twice, published, and called.
			const count = kind === 'flows' ? 4 : 1;
			const changes = Array.from({ length: count }, () => 'POST');
			expect(others.map(({ method }) => method)).toEqual([...changes, 'DELETE']);
			for (const { path } of others) expect(path).toMatch(/^\/v1\/\w+\/\w{21}$/);
		}
	},
);

test.each(['0.85', '0.86'] as const)(
	'on %s, the flow that is run has the version of its piece that is installed',
	async (release) => {
		const server = await start({ release });
		server.worker.pieces.set('@activepieces/piece-webhook', '0.1.34');
		const report = await checked(settingsFor(server, { write: true }));
		expect(row(report, 'Flow → Run')).toBe('✓ works: run, and its answer read');
	},
);

test('without --write nothing is changed', async () => {
	const server = await start();
	const report = await checked(settingsFor(server));
	expect(report.isRight).toBe(true);
	expect(changesOf(server)).toEqual([]);
	expect(row(report, 'Folder → Update')).toBe('· not tried: only with --write');
});

test('every operation and every From List of the node is in the report', async () => {
	const report = await checked(settingsFor(await start(), { write: true }));
	const pairs = pairsOf(engine);
	expect(pairs.length).toBeGreaterThan(7);
	const reading = pairs.filter(({ method }) => method === 'GET').map(({ id }) => id);
	expect(Object.keys(reads)).toEqual(expect.arrayContaining(reading));
	for (const { name } of pairs) expect(row(report, name)).not.toContain('wrong');
	for (const field of ['Project', 'Folder', 'Filter Folder', 'Invitation', 'Template']) {
		expect(row(report, `${field} → From List`)).toMatch(/✓ works: \d+ entries/);
	}
	for (const field of ['Connection Names or IDs', 'Flow Names or IDs']) {
		expect(row(report, `Filter ${field} → list`)).toMatch(/✓ works: \d+ entries/);
	}
});

test('signs in with e-mail and password', async () => {
	const server = await start({ edition: 'community' });
	const [{ user, password }] = server.accounts;
	const login = { email: user.email, password };
	const report = await checked(settingsFor(server, { login, write: true }));
	expect(report.isRight).toBe(true);
	expect(row(report, 'Credential test')).toBe('✓ works: e-mail and password');
	expect(report.text).not.toContain(user.email);
	expect(report.text).not.toContain(password);
});

describe('what a server lacks', () => {
	test.each<[string, ServiceOptions, RegExp]>([
		[
			'is told of a plan without the feature',
			{ plan: { globalConnectionsEnabled: false } },
			/^– lacks: The Activepieces plan does not include global connections/,
		],
		[
			'is told of the Community edition',
			{ edition: 'community' },
			/^– lacks: .*The Community edition has no global connections/,
		],
		[
			'is wrong on an edition that has it',
			{ without: ['GET /v1/global-connections'] },
			/^✗ wrong: .*no endpoint GET \/v1\/global-connections.*→ 404\)$/,
		],
	])('%s', async (_name, options, told) => {
		const report = await checked(settingsFor(await start(options)));
		expect(row(report, 'Global Connection → Get Many')).toMatch(told);
		expect(report.isRight).toBe(!told.source.includes('wrong'));
	});

	test('is told of the role of a user', async () => {
		const server = await start();
		const login = { apiKey: server.tokens.member };
		const report = await checked(settingsFor(server, { login }));
		expect(report.isRight).toBe(true);
		expect(row(report, 'Queue → Get Metrics')).toMatch(/^– lacks: .*→ 403/);
	});
});

describe('what is wrong', () => {
	test.each<[string, object, RegExp]>([
		[
			'of another type, with how many records have it',
			{ status: 7 },
			/^✗ wrong: The answer is not what the contract says: status must be string \(3 of 3\)/,
		],
		['that is missing', { status: undefined }, /^✗ wrong: .*status is missing \(3 of 3\)/],
		['that nobody knows', { colour: 'blue' }, /^✓ works: 3 flows; not in the contract: colour$/],
	])('a field %s is named', async (_what, change, told) => {
		const server = await start({ data: { projects: 1, flows: 3 } });
		const data = server.data.flows.map((flow) => ({ ...flow, ...change }));
		server.fault({ path: '/v1/flows', kind: { body: { data, next: null, previous: null } } });
		expect(row(await checked(settingsFor(server)), 'Flow → Get Many')).toMatch(told);
	});

	test('a refusal, with the request', async () => {
		const server = await start();
		server.fault({ path: '/v1/global-connections', kind: { status: 500, message: 'boom' } });
		const report = await checked(settingsFor(server));
		expect(report.isRight).toBe(false);
		expect(row(report, 'Global Connection → Get Many')).toMatch(
			/^✗ wrong: .*\(GET \/v1\/global-connections → 500\)$/,
		);
		expect(report.text).toMatch(/, 1 wrong\.$/);
	});

	test('a key that is refused, and then nothing else is asked', async () => {
		const server = await start();
		const apiKey = server.tokens.wrongKey;
		const report = await checked(settingsFor(server, { login: { apiKey } }));
		expect(report.isRight).toBe(false);
		expect(row(report, 'Credential test')).toMatch(/^✗ wrong: /);
		expect(report.text).not.toContain('Flow →');
		expect(report.text).not.toContain(apiKey);
	});

	test('a Base URL without /api', async () => {
		const server = await start();
		const report = await checked(settingsFor(server, { baseUrl: server.origin }));
		expect(report.isRight).toBe(false);
		expect(row(report, 'Release and edition')).toMatch(/^✗ wrong: .*without the release/);
		expect(row(report, 'Credential test')).toContain('leads to a web page');
	});

	test('a server that does not answer', async () => {
		const server = await start();
		const settings = settingsFor(server);
		await server.close();
		const report = await checked(settings);
		expect(report.isRight).toBe(false);
		expect(row(report, 'Release and edition')).toContain('ECONNREFUSED');
	});
});

describe('what --write makes', () => {
	const left = ({ data }: Service) =>
		[
			...data.folders.map(({ displayName }) => displayName),
			...data.flows.map(({ version }) => version.displayName),
		].filter((name) => name.startsWith(PREFIX));

	const FOLDER = /^\/v1\/folders\/\w+/;
	const FLOW = /^\/v1\/flows\/\w+/;

	test.each<[string, Pick<Fault, 'method' | 'path' | 'times'>, Record<string, RegExp>, number]>([
		[
			'is deleted although a step before fails',
			{ method: 'POST', path: FOLDER },
			{ 'Folder → Update': /^✗ wrong/, 'Folder → Delete': /^✓ works/ },
			0,
		],
		[
			'is deleted by another request when the first one fails: a folder',
			{ method: 'DELETE', path: FOLDER, times: 1 },
			{ 'Folder → Delete': /^✗ wrong/, 'Cleaning up': /^✓ works: the folder is deleted$/ },
			0,
		],
		[
			'is deleted by another request when the first one fails: a flow',
			{ method: 'DELETE', path: FLOW, times: 1 },
			{ 'Flow → Delete': /^✗ wrong/, 'Cleaning up': /^✓ works: the flow is deleted$/ },
			0,
		],
		[
			'is told how to find when it cannot be deleted',
			{ method: 'DELETE', path: FOLDER },
			{
				'Cleaning up':
					/^✗ wrong: DELETE \/v1\/folders\/\{id\} → 500\. Delete the folder whose name begins with n8n-live-/,
			},
			1,
		],
	])('%s', async (_name, fault, told, count) => {
		const server = await start();
		server.fault({ ...fault, kind: { status: 500 } });
		const report = await checked(settingsFor(server, { write: true }));
		expect(report.isRight).toBe(false);
		for (const [step, text] of Object.entries(told)) expect(row(report, step)).toMatch(text);
		expect(left(server)).toHaveLength(count);
	});

	test('is not made by a user who may not, which is no fault', async () => {
		const server = await start({ release: '0.85' });
		const [project] = server.data.projects;
		server.data.members.push({
			userId: server.data.users[1].id,
			projectId: project.id,
			role: 'Viewer',
		});
		server.data.projects = server.data.projects.filter(({ type }) => type === 'TEAM');
		const login = { apiKey: server.tokens.member };
		const report = await checked(settingsFor(server, { login, write: true }));
		expect(row(report, 'Folder → Create')).toMatch(/^– lacks: /);
		expect(left(server)).toEqual([]);
	});
});

describe('what is in no report', () => {
	/** Everything in the service's data that tells about people or what they called things. */
	function personalTexts({ data, accounts }: Service): string[] {
		return [
			...data.projects.map(({ displayName }) => displayName),
			...data.folders.map(({ displayName }) => displayName),
			...data.flows.map(({ version }) => version.displayName),
			...data.connections.flatMap(({ displayName, owner }) => [
				displayName,
				String((owner as { email?: string }).email),
			]),
			...data.templates.map(({ name }) => name),
			...data.invitations.map(({ email }) => email),
			...accounts.flatMap(({ user }) => [user.email, user.lastName]),
		];
	}

	test.each([
		['after right answers', undefined],
		['after refusals that repeat them', 400],
	])('names, e-mails, key and host, %s', async (_when, status) => {
		const server = await start({ data: 'recorded' });
		const texts = personalTexts(server);
		expect(texts.length).toBeGreaterThan(100);
		const settings = settingsFor(server, { write: true });
		if (status !== undefined) {
			const message = `No such thing as ${texts.join(' or ')} of ${server.apiKey} "Zoë Private"`;
			server.fault({ path: /^\/v1\/(?!flags|projects)/, kind: { status, message } });
		}
		const { text } = await checked(settings);
		for (const personal of [...texts, server.apiKey, 'Zoë Private', new URL(server.origin).host]) {
			// Words of the node itself, such as "Folder", may be names as well.
			if (/^\w{1,7}$/.test(personal)) continue;
			expect(text).not.toContain(personal);
		}
	});
});
