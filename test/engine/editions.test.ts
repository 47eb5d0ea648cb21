import { caseOf, cases, casesFor } from '../operations';
import { failedRun } from '../operations/flowRun';
import { FIRST_AND_LAST, type FaultKind, type Plan, type Release, type Tokens } from '../service';
import type { ProjectRecord } from '../service/records';
import { INPUT } from '../service/routes/webhooks';
import { limits, waitReally } from './harness/built';
import { byId, ids, sortedIds } from './harness/byId';
import { atTime } from './harness/clock';
import { ALL_FLOWS, CONNECTIONS, FOLDER, METRICS, ofRecord, TEMPLATES } from './harness/parameters';
import { flowAdder, runFlow, WAIT } from './harness/runFlow';
import { requestPaths, requestUrls, useService, type TestContext } from './harness/service';
import { signInCredential } from './harness/signIn';

/** The API Key credential with a user's session token in it. */
const withToken = ({ service }: TestContext, token: keyof Tokens = 'admin') => ({
	baseUrl: service.baseUrl,
	apiKey: service.tokens[token],
});

const REFUSED = 'Activepieces did not accept the API key';

const NEEDS_079 = 'This needs Activepieces 0.79 or later';

// Each of these differs from the one before.
const DIFFERENT = ['0.73', '0.75', '0.79', '0.92'] as const;

describe.each(DIFFERENT)('Community %s with a session token', (release) => {
	const context = useService({ release, edition: 'community', data: 'recorded' });
	const isOld = release === '0.73' || release === '0.75';
	const isLate = release === '0.92';

	/** The projects that an admin may read: their own, or since 0.80 all of the platform. */
	const projectIds = ({ service }: TestContext) => {
		const [admin] = service.data.users;
		const isOwn = ({ ownerId, type }: ProjectRecord) => ownerId === admin.id && type === 'PERSONAL';
		return ids(service.data.projects.filter((project) => isLate || isOwn(project)));
	};

	beforeAll(() => void (context.credential = withToken(context)));
	const { records, failsWith } = context;
	const entries = async (method: string) =>
		(await context.search(method)).results.map(({ value }) => value);

	test('the credential test passes', async () => {
		expect(await context.engine.testCredential(context.credential)).toMatchObject({ status: 'OK' });
		expect(requestPaths(context)).toEqual(
			isOld ? ['GET /v1/projects', 'GET /v1/users/projects'] : ['GET /v1/projects'],
		);
	});

	test('projects, and the flows of all of them, are listed', async () => {
		const own = projectIds(context);
		expect((await entries('searchProjects')).sort()).toEqual(own.sort());
		const flows = context.data.flows.filter(({ projectId }) => own.includes(projectId));
		expect(flows).not.toEqual([]);
		expect(sortedIds(await records(ALL_FLOWS))).toEqual(sortedIds(flows));
	});

	test('folders, invitations and queue metrics can be used', async () => {
		const own = projectIds(context);
		const folders = context.data.folders.filter(({ projectId }) => own.includes(projectId));
		const listed = await entries('searchFolders');
		expect(listed.sort()).toEqual(sortedIds(folders));
		const [folder] = listed;
		const rename = ofRecord('folder.update', folder, { displayName: 'Sales 2' });
		expect(await records(rename)).toMatchObject([{ id: folder, name: 'Sales 2' }]);
		const invitations = await entries('searchInvitations');
		const ofPlatform = context.data.invitations.filter(({ type }) => type === 'PLATFORM');
		expect(invitations).toEqual(expect.arrayContaining(ids(ofPlatform)));
		const [invitation] = invitations;
		const revoke = ofRecord('userInvitation.delete', invitation);
		expect(await records(revoke)).toEqual([{ deleted: true }]);
		const [{ stats }] = await records(METRICS);
		const states = isLate ? ['waiting', 'active'] : ['waiting', 'failed', 'delayed'];
		expect(Object.keys(stats as object)).toEqual(expect.arrayContaining(states));
	});

	test('global connections, which it has not, are named', async () => {
		const message = 'This Activepieces server has no global connections';
		await failsWith(CONNECTIONS, message, 'The Community edition has no global connections');
	});

	test('custom templates, which it has not, are named as far as it says so', async () => {
		const remove = ofRecord('flowTemplate.delete', 'abc');
		if (release === '0.73') {
			const message = 'This Activepieces server has no custom templates';
			await failsWith(TEMPLATES, message);
			await expect(entries('searchTemplates')).rejects.toThrow(message);
			await failsWith(remove, message, 'The Community edition has no custom templates');
		} else if (release === '0.75') {
			await failsWith(TEMPLATES, 'The Activepieces plan does not include custom templates');
		} else {
			expect(await records(TEMPLATES)).toEqual([]);
			await failsWith(remove, 'Flow template "abc" was not found');
		}
	});
});

describe.each(['enterprise', 'community'] as const)('0.73 %s without templates', (edition) => {
	const plan = { manageTemplatesEnabled: false };
	const context = useService({ release: '0.73', edition, plan, templatesSource: 'gone' });

	test('the refusal of Cloud, which the server passes on as a success, is understood', async () => {
		const message = 'This Activepieces server has no custom templates';
		const says = 'The Community edition has no custom templates';
		await context.failsWith(TEMPLATES, message, says, { credential: withToken(context) });
	});
});

describe('0.75 with an old path for templates', () => {
	const context = useService({ release: '0.75' });

	test('gives the own templates, the first time and the second, and deletes one', async () => {
		const own = context.data.templates.filter(({ type }) => type === 'CUSTOM');
		for (let time = 0; time < 2; time++) {
			expect(ids(await context.records(TEMPLATES))).toEqual(ids(own));
		}
		expect((await context.search('searchTemplates')).results).toHaveLength(own.length);
		expect(requestPaths(context)).not.toContain('GET /v1/flow-templates');
		const remove = ofRecord('flowTemplate.delete', own[0].id);
		expect(await context.records(remove)).toEqual([{ deleted: true }]);
	});
});

describe.each(FIRST_AND_LAST)('tokens on release %s', (release) => {
	const context = useService({ release });

	test.each<[keyof Tokens, string]>([
		['expired', REFUSED],
		['garbled', REFUSED],
		['deletedUser', REFUSED],
		['wrongKey', REFUSED],
		['revoked', 'The API key or its user is no longer active'],
	])('%s: a message that fits a session token as well', async (token, message) => {
		const credential = withToken(context, token);
		const advice = /API keys begin with "sk-".*use an Activepieces Sign-In API credential/;
		await context.failsWith(METRICS, message, advice, { credential });
		const test = await context.engine.testCredential(credential);
		expect(test.status).toBe('Error');
		expect(test.message).toContain(message);
		expect(test.message).not.toContain(credential.apiKey);
		const folder = { ...FOLDER, folderId: byId(context.data.folders[0].id) };
		// For a string of the service that does not help.
		const helps = /^(?!.*Cannot read properties)/s;
		await context.failsWith(folder, helps, [helps, advice], { credential });
	});
});

describe.each(FIRST_AND_LAST)('an API key on Community %s', (release) => {
	const context = useService({ release, edition: 'community', data: 'recorded' });
	const MESSAGE = 'This is the Community edition of Activepieces, which has no API keys';

	beforeAll(() => void (context.credential.apiKey = `sk-${'a'.repeat(61)}`));

	test('is answered with the credential to choose, in words of the dialog', async () => {
		const says = /^Create a credential with Sign-In instead of API Key\. /;
		const { description } = await context.failsWith(METRICS, MESSAGE, says);
		const failed = { status: 'Error', message: `${MESSAGE}. ${description}` };
		expect(await context.engine.testCredential(context.credential)).toEqual(failed);
		await expect(context.search('searchFlows')).rejects.toThrow(MESSAGE);
		// So is a session that has ended.
		const credential = { ...context.credential, apiKey: 'no-sk-key' };
		await context.failsWith(METRICS, MESSAGE, says, { credential });
	});

	test('the edition is asked for once, without the key', async () => {
		const given = { items: [{}, {}, {}], onError: 'continueRegularOutput' as const };
		const later = Date.now() + limits.serverKnowledgeTtlMs + 1;
		await atTime(later, async () => await context.run(METRICS, given));
		const asked = context.requests.filter(({ path }) => path === '/v1/flags');
		expect(asked).toHaveLength(1);
		expect(asked[0].headers).not.toHaveProperty('authorization');
	});

	test('the edition is asked for again if the request for it failed', async () => {
		context.fault({ path: '/v1/flags', times: 1, kind: { status: 500 } });
		await atTime(Date.now() + 2 * limits.serverKnowledgeTtlMs + 2, async () => {
			await context.failsWith(METRICS, REFUSED);
			await context.failsWith(METRICS, MESSAGE);
		});
	});
});

describe('a server that does not say that it is Community', () => {
	const context = useService();

	const FLAGS: FaultKind[] = [{ status: 500 }, { status: 200, shape: 'html' }];
	test.each(FLAGS)('with %j: a key that it refuses is a wrong one', async (kind) => {
		context.fault({ path: '/v1/flags', kind });
		const credential = { ...context.credential, apiKey: 'sk-wrong-key' };
		await context.failsWith(METRICS, REFUSED, [], { credential });
	});
});

describe('a session token of 0.73 in Enterprise', () => {
	const context = useService({ release: '0.73', data: 'recorded' });

	test.each([
		['pasted as API key', () => withToken(context)],
		['of a sign-in', () => signInCredential(context)],
	])('%s: all projects means the project of the token', async (_name, given) => {
		const credential = given();
		const flows = await context.records({ ...ALL_FLOWS, simplify: false }, { credential });
		expect(new Set(flows.map(({ projectId }) => projectId)).size).toBeLessThanOrEqual(1);
		expect(requestUrls(context).filter((url) => url.startsWith('GET /v1/flows'))).toHaveLength(1);
	});
});

describe.each([
	['a session', (context: TestContext) => signInCredential(context)],
	['a token in API Key', (context: TestContext) => withToken(context)],
])('%s of 0.73, where it is of one project', (_name, credentialOf) => {
	const context = useService({ release: '0.73', data: { flowRuns: 30, members: 3 } });

	beforeAll(async () => {
		Object.assign(context, { credential: credentialOf(context) });
		await context.records(METRICS);
	});

	// The first request for a new folder is its list, which is refused for another project.
	const later = cases.filter(
		({ pair, operation: { endpoint } }) =>
			!endpoint.worksOn073 && !['folder.create', 'variable.delete'].includes(pair),
	);
	test.each(later)('$title is not for it, and changes nothing', async (each) => {
		await context.failsWith(each.parameters(context.data), NEEDS_079, 'update Activepieces');
		expect(context.posts()).toEqual([]);
	});

	test.each(casesFor('0.73'))('$title is for it', async (each) => {
		const { error } = await context.run(each.parameters(context.data));
		expect(error?.message).not.toBe(NEEDS_079);
	});
});

describe('an API key on 0.73', () => {
	const context = useService({ release: '0.73' });

	test.each(['auditEvent.getAll', 'flow.count'])(
		'%s, for which the service wants a project, needs a later release',
		async (pair) => {
			const parameters = caseOf(pair).parameters(context.data);
			await context.failsWith(parameters, NEEDS_079, 'update Activepieces');
		},
	);
});

// What is remembered of moved endpoints is in queueMetrics.test.ts.
describe('a list of projects at the other path', () => {
	const old = useService({ release: '0.75', edition: 'community' });
	const none = useService();
	const search = async (context: TestContext) =>
		await context.search('searchProjects', { credential: withToken(context) });

	test('is not reported as missing when it is refused there', async () => {
		await search(old);
		old.fault({ path: '/v1/users/projects', kind: { status: 400, code: 'VALIDATION' } });
		await expect(search(old)).rejects.toThrow('did not accept');
	});

	test('is not requested there with a credential for all projects that is refused', async () => {
		none.fault({ path: '/v1/projects', kind: { status: 403, code: 'AUTHORIZATION' } });
		await expect(search(none)).rejects.toThrow('is not allowed to access the projects');
		expect(requestPaths(none)).toEqual(['GET /v1/projects']);
	});
});

/** The result of a list of templates without them; later releases list none. */
const NO_TEMPLATES: Partial<Record<Release, string>> = {
	'0.73': 'This Activepieces server has no custom templates',
	'0.75': 'The Activepieces plan does not include custom templates',
};

describe.each(DIFFERENT)('on %s a plan without', (release) => {
	const context = useService({ release, data: 'recorded' });
	const { records, failsWith, search } = context;
	const revoke = (wanted: string) => {
		const invitation = context.data.invitations.find(({ type }) => type === wanted);
		return ofRecord('userInvitation.delete', invitation?.id);
	};
	/** Takes features from the plan, which has all others. */
	const lose = (...lost: string[]) => {
		const { plan } = context.service;
		for (const name of Object.keys(plan) as Array<keyof Plan>) plan[name] = !lost.includes(name);
	};

	test('project roles lists all invitations, and deletes those to the platform only', async () => {
		lose('projectRolesEnabled');
		const { results } = await search('searchInvitations');
		expect(results).toHaveLength(context.data.invitations.length);
		const revocation = revoke('PROJECT');
		// No key can delete them in releases before 0.79, whatever the plan.
		if (release === '0.73' || release === '0.75') await failsWith(revocation, NEEDS_079);
		else await failsWith(revocation, 'The Activepieces plan does not include project roles');
		expect(await records(revoke('PLATFORM'))).toEqual([{ deleted: true }]);
	});

	test('custom templates lists none, or is told why, and still deletes', async () => {
		lose('manageTemplatesEnabled');
		const { items, error } = await context.run(TEMPLATES);
		expect(items).toEqual([]);
		expect(error?.message).toBe(NO_TEMPLATES[release]);
		const own = context.data.templates.find(({ type }) => type !== 'SHARED');
		expect(await records(ofRecord('flowTemplate.delete', own?.id))).toEqual([{ deleted: true }]);
	});
});

describe('a call that waits for a run that fails, on release 0.92', () => {
	const context = useService({ release: '0.92', data: { flows: 6 } });
	const add = flowAdder(context);

	test('fails at once, and waits a moment for the record of the run, which then says why', async () => {
		waitReally();
		const { webhooks } = context.service;
		const flow = add({ body: INPUT });
		webhooks.ends.set(flow.id, 'fails');
		const failed = /^The flow "Orders" failed at "Check the order": Error: Boom/;
		await context.failsWith(runFlow(flow.id, WAIT), failed, /^Open the run/);
		// As slow as recorded
		webhooks.speed = 1;
		limits.endedRun.maxElapsedMs = 0;
		const ended = /ended before it reached Return Response$/;
		await context.failsWith(runFlow(flow.id, WAIT), ended, /open the newest run of the flow/);
		expect(webhooks.runs).toHaveLength(2);
		await webhooks.settled();
	});
});

describe('on Cloud', () => {
	const traits = { retryNeedsCredits: true };
	const context = useService({ release: '0.92', traits, data: { flows: 6, flowRuns: 30 } });

	test('a retry without credits names the plan, and changes nothing', async () => {
		const { id } = failedRun(context.data)!;
		await context.failsWith(ofRecord('flowRun.retry', id), /plan/, /Nothing was changed/);
		expect(failedRun(context.data)?.status).toBe('FAILED');
	});
});
