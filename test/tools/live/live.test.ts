import { Activepieces } from '../../../nodes/Activepieces/Activepieces.node';
import { resources } from '../../../nodes/Activepieces/resources';
import { skipWaits } from '../../engine/harness/built';
import { startService, type DataSizes, type Service, type ServiceOptions } from '../../service';
import { live } from './main';
import { PREFIX } from './writes';

/** Enough for every list to have entries, and for two small pages of flows. */
const DATA: DataSizes = { projects: 1, flows: 5, flowRuns: 4, templates: 4, invitations: 4 };

let server: Service;
let report: string;
/** Result and details of each row of the table */
let rows: Record<string, string>;
let code: number;

beforeAll(skipWaits);
afterAll(async () => await server.close());

async function start(options: ServiceOptions): Promise<void> {
	await (server as Service | undefined)?.close();
	server = await startService({ data: DATA, ...options });
}

/** Runs the command as a person does for that server. */
async function check(given: NodeJS.ProcessEnv = {}, ...args: string[]) {
	const { baseUrl, edition, apiKey, userToken } = server;
	const print = jest.spyOn(console, 'log').mockImplementation();
	code = await live(args, {
		ACTIVEPIECES_BASE_URL: baseUrl,
		ACTIVEPIECES_API_KEY: edition === 'enterprise' ? apiKey : userToken,
		...given,
	});
	report = String(print.mock.calls);
	print.mockRestore();
	const cells = report.split('\n').map((line) => line.replace(/^\| | +\|$/g, '').split(/ +\| /));
	rows = Object.fromEntries(
		cells.map(([name, result, , , details]) => [name, `${result}: ${details}`]),
	);
}

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const changes = (under = '/') =>
	server.requests.filter(({ method, path }) => method !== 'GET' && path.startsWith(under));

const namesIn = ({ folders, flows }: Service['data']) =>
	[...folders, ...flows.map(({ version }) => version)].map(({ displayName }) => displayName);
const left = () => namesIn(server.data).filter((name) => name.startsWith(PREFIX));

/** All data of the service that is personal or named by people. */
function personalTexts(): string[] {
	const { accounts, apiKey, origin, data } = server;
	const owners = data.connections.map(({ owner }) => owner as { email?: string });
	const texts = [
		...namesIn(data),
		...[...data.projects, ...data.connections].map(({ displayName }) => displayName),
		...data.templates.map(({ name }) => name),
		...[...data.invitations, ...owners].map(({ email }) => String(email)),
		...accounts.flatMap(({ user, password }) => [user.email, user.lastName, password]),
		...[apiKey, new URL(origin).host],
	];
	// Words of the node itself, such as "Folder", may also be names.
	return texts.filter((text) => !/^\w{1,7}$/.test(text));
}

function expectNothingOf(texts: string[]): void {
	expect(texts.length).toBeGreaterThan(20);
	for (const personal of texts) expect(report).not.toContain(personal);
}

// The oldest, the newest, and the one whose responses are between them; each edition with both forms.
describe.each<ServiceOptions>([
	{ release: '0.79', edition: 'community' },
	{ release: '0.92', edition: 'enterprise' },
	{ release: '0.92', edition: 'community' },
])('on $release, $edition, with --write', ({ release, edition }) => {
	const isEnterprise = edition === 'enterprise';

	beforeAll(async () => {
		await start({ release, edition });
		// Not the version that the flow is written with.
		if (isEnterprise) server.live.installPiece('@activepieces/piece-webhook', '0.1.34');
		const [{ user, password }] = server.accounts;
		const login = { ACTIVEPIECES_EMAIL: user.email, ACTIVEPIECES_PASSWORD: password };
		// A key is used rather than a login.
		await check(release === '0.79' ? { ACTIVEPIECES_API_KEY: '', ...login } : login, '--write');
	});

	test('nothing is wrong, and no names or texts of people are reported', () => {
		expect(report).toMatch(/ work, \d+ not offered .*, \d+ not tried, 0 wrong\.$/);
		expect(code).toBe(0);
		const session = isEnterprise ? 'API key' : 'session token in place of an API key';
		const lacks = matching(/^– lacks: .*The Community edition has no global connections/);
		expect(rows).toMatchObject({
			'Release and edition': matching(new RegExp(`^✓ works: ${release}\\.\\d, ${edition}$`, 'i')),
			'Credential test': `✓ works: ${release === '0.79' ? 'email and password' : session}`,
			'Flow → Import': '✓ works: imported',
			'Flow → Run': '✓ works: run, and its response read',
			'Project → Delete': matching(/^· not tried: would change or delete your data/),
			'Flow → Get Many, in small pages': '✓ works: 5 records',
			'Global Connection → Get Many': isEnterprise ? matching(/^✓ works: 25 records/) : lacks,
		});
		expect(report).toMatch(/^n8n-nodes-activepieces [\d.]{5,}, n8n-core [\d.]{5,}, Node\.js/);
		expectNothingOf(personalTexts());
	});

	test('every operation is tried, or the report says why not, and every list of the editor is opened', () => {
		const operations = resources.flatMap(({ name, operations }) =>
			operations.map((operation) => `${name} → ${operation.name}`),
		);
		expect(Object.keys(rows)).toEqual(expect.arrayContaining(operations));
		const { listSearch, loadOptions } = new Activepieces().methods;
		for (const method of Object.keys({ ...listSearch, ...loadOptions })) {
			const [, found] = Object.entries(rows).find(([name]) => name.includes(`(${method})`)) ?? [];
			expect(found).toMatch(
				/Templates|Runs|Table|Variables|Members|Roles|Pieces|GlobalConnections/.test(method)
					? /✓ works|– lacks/
					: /✓ works.* \d+ entr/,
			);
		}
	});

	// Requests for flows: renamed, imported twice, published.
	test.each([
		['folders', 'POST DELETE'],
		// Each of two imports also keeps with the flow what it has imported.
		['flows', 'POST POST POST POST POST POST DELETE'],
	])('of %s only one of its own is changed', (kind, methods) => {
		const [created, ...others] = changes(`/v1/${kind}`);
		expect(created.body).toMatchObject({ displayName: expect.stringContaining(PREFIX) });
		expect(others.map(({ method }) => method).join(' ')).toBe(methods);
		expect(new Set(others.map(({ path }) => path)).size).toBe(1);
		expect(others[0].path).toMatch(/^\/v1\/\w+\/\w{21}$/);
		expect(left()).toEqual([]);
	});
});

test('without --write nothing is changed; missing features of the plan or role are no fault', async () => {
	await start({ data: { ...DATA, flowRuns: 0 }, plan: { globalConnectionsEnabled: false } });
	server.fault({ path: /queue-metrics/, kind: { status: 403, code: 'AUTHORIZATION' } });
	await check();
	expect([code, changes()]).toEqual([0, []]);
	const lacks = /^– lacks: The Activepieces plan does not include global connections/;
	expect(rows).toMatchObject({
		'Folder → Update': '· not tried: only with --write',
		'Flow Run → Get': '· not tried: From List has no flow run',
		'Global Connection → Get Many': matching(lacks),
		'Queue → Get Metrics': matching(/^– lacks: .*→ 403/),
	});
});

describe('what is wrong', () => {
	const PAGE = { next: null, previous: null };
	const at = (baseUrl: string) => ({ ACTIVEPIECES_BASE_URL: baseUrl });

	test('differing records, a refusal, a missing endpoint', async () => {
		await start({ data: { ...DATA, flows: 3 }, without: ['GET /v1/global-connections'] });
		const flows = server.data.flows.map((flow) => ({ ...flow, status: 7 }));
		const folders = [{ ...server.data.folders[0], numberOfFlows: 0, colour: 'blue' }];
		server.fault({ path: '/v1/flows', kind: { body: { data: flows, ...PAGE } } });
		server.fault({ path: '/v1/folders', kind: { body: { data: folders, ...PAGE } } });
		server.fault({ path: '/v1/user-invitations', kind: { status: 500, message: 'boom' } });
		await check();
		expect(code).toBe(1);
		const differs = 'The response differs from the contract: status must be string (3 of 3)';
		const missing =
			/^✗ wrong: .*has no global connections\..*GET \/v1\/global-connections → 404\)$/;
		expect(rows).toMatchObject({
			'Flow → Get Many': expect.stringContaining(`✗ wrong: ${differs}`),
			'Folder → Get Many': '✓ works: 1 record; not in the contract: colour',
			'User Invitation → Get Many': matching(/^✗ wrong: .*\(GET \/v1\/user-invitations → 500\)$/),
			'Global Connection → Get Many': matching(missing),
		});
		expect(report).toMatch(/, [1-9]\d* wrong\.$/);
	});

	test.each<[string, () => NodeJS.ProcessEnv, RegExp]>([
		['a key', () => ({ ACTIVEPIECES_API_KEY: 'sk-wrong' }), /did not accept the API key/],
		['a Base URL without /api', () => at(server.origin), /without the release.*a web page/s],
		['a server', () => at('http://127.0.0.1:4/api'), /✗ wrong.*ECONNREFUSED/],
	])('%s that cannot be used, and then nothing else is sent', async (_what, given, told) => {
		await start({});
		await check(given());
		expect(code).toBe(1);
		expect(report).toMatch(told);
		expect(report).not.toMatch(/Flow →|sk-/);
	});
});

describe('what --write creates', () => {
	async function checkWith(...faults: Array<[string, string, number?]>) {
		await start({});
		for (const [method, kind, times] of faults) {
			const path = new RegExp(`^/v1/${kind}/\\w+`);
			server.fault({ method, path, times, kind: { status: 500 } });
		}
		await check({}, '--write');
		expect(code).toBe(1);
	}

	test('is deleted although an earlier step fails, with another request when the first one fails', async () => {
		await checkWith(['POST', 'folders'], ['DELETE', 'flows', 1]);
		expect(rows).toMatchObject({
			'Folder → Update': matching(/^✗ wrong/),
			'Folder → Delete': matching(/^✓ works/),
			'Flow → Delete': matching(/^✗ wrong/),
			'Cleaning up': '✓ works: the flow is deleted',
		});
		expect(left()).toEqual([]);
	});

	test('is described when it cannot be deleted', async () => {
		await checkWith(['DELETE', 'folders']);
		const told =
			'DELETE /v1/folders/{id} → 500. Delete the folder whose name begins with n8n-live-';
		expect(rows['Cleaning up']).toContain(`✗ wrong: ${told}`);
		expect(left()).toHaveLength(1);
	});
});

test('no report repeats the names in refusals', async () => {
	await start({ data: 'recorded' });
	for (const project of server.data.projects) project.displayName = 'Of "Zoë" Private';
	const texts = [...personalTexts(), 'Zoë'];
	const message = `No such thing as ${texts.join(' or ')} "Zoë Private"`;
	server.fault({ path: /^\/v1\/(?!flags|projects|folders)/, kind: { status: 400, message } });
	// The node names the project then.
	server.fault({ path: '/v1/folders', kind: { status: 404, shape: 'html' } });
	await check({}, '--write');
	expect(rows['Flow → Get Many']).toMatch(/^✗ wrong: .*Activepieces says: …/);
	expect(rows['Folder → Get Many']).toMatch(/^✗ wrong: .* the project "…"/);
	expectNothingOf([...texts, 'Private']);
});
