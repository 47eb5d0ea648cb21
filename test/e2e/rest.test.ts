import type { ICredentialDataDecryptedObject, INodeListSearchResult } from 'n8n-workflow';

import { FAILED_ON_ALL_RELEASES } from '../../nodes/Activepieces/resources/flowRun/statuses';
import type { ServiceData } from '../service';
import { credentialJson, importCredentials, signInJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import { useServices } from './support/services';
import { CREDENTIAL_TYPE, NODE_TYPE, SIGN_IN_TYPE, TRIGGER_TYPE } from './support/workflow';

interface TypeListed {
	name: string;
	displayName: string;
	iconUrl?: string | { light: string; dark: string };
	properties: Array<{
		name: string;
		type: string;
		modes?: Array<{ name: string; typeOptions?: { searchListMethod?: string } }>;
	}>;
}

/** What a person may have entered, and what the test of the credential answers. */
const ENTERED: Array<{
	name: string;
	type?: string;
	change: (data: ICredentialDataDecryptedObject) => ICredentialDataDecryptedObject;
	status: 'OK' | 'Error';
	says: RegExp;
}> = [
	{ name: 'a good key', change: (data) => data, status: 'OK', says: /successful/ },
	{
		name: 'a wrong key',
		change: (data) => ({ ...data, apiKey: 'sk-wrong' }),
		status: 'Error',
		says: /did not accept the API key/,
	},
	{
		name: 'a wrong URL',
		change: (data) => ({ ...data, baseUrl: 'http://127.0.0.1:9/api' }),
		status: 'Error',
		says: /No server responds at 127\.0\.0\.1:9/,
	},
	{
		name: 'the address of the web app',
		change: (data) => ({ ...data, baseUrl: String(data.baseUrl).replace(/\/api$/, '') }),
		status: 'Error',
		says: /web page.*\/api/,
	},
	{
		name: 'email and password',
		type: SIGN_IN_TYPE,
		change: (data) => data,
		status: 'OK',
		says: /successful/,
	},
	{
		name: 'a wrong password',
		type: SIGN_IN_TYPE,
		change: (data) => ({ ...data, password: 'not-the-password' }),
		status: 'Error',
		says: /did not accept the email and password/,
	},
];

/** What From List is to show, by the name of the locator. */
const LOCATORS: Array<{
	locator: string;
	path?: string;
	held: (data: ServiceData) => Array<{ id: string }>;
}> = [
	{ locator: 'projectId', path: '/v1/projects', held: ({ projects }) => projects },
	{ locator: 'flowId', path: '/v1/flows', held: ({ flows }) => flows },
	{
		locator: 'flowRunId',
		path: '/v1/flow-runs',
		held: ({ flowRuns }) =>
			flowRuns.filter(({ status }) => FAILED_ON_ALL_RELEASES.includes(status)),
	},
	{ locator: 'folderId', path: '/v1/folders', held: ({ folders }) => folders },
	{
		// Shared templates of other platforms cannot be deleted with the key, and are not listed.
		locator: 'templateId',
		held: ({ templates }) => templates.filter(({ type }) => type === 'CUSTOM'),
	},
	{ locator: 'invitationId', path: '/v1/user-invitations', held: ({ invitations }) => invitations },
];

/** More than the editor gets at once, of everything that is listed page by page. */
const MANY = {
	projects: 60,
	foldersPerProject: 3,
	flows: 130,
	flowRuns: 400,
	templates: 12,
	invitations: 260,
};

describe.each(N8N_RELEASES)('n8n %s, as its editor asks it', (n8n) => {
	const services = useServices({ data: MANY });
	const running = useN8n(n8n, async (home) => {
		await importCredentials(home, [
			credentialJson('example', services['0.85']),
			signInJson('person', services['0.85']),
		]);
	});

	const types: Record<string, TypeListed[]> = {};
	beforeAll(async () => {
		const { server, rest } = running;
		for (const kind of ['nodes', 'credentials']) {
			const headers = { cookie: rest.cookie };
			const response = await fetch(`${server.url}/types/${kind}.json`, { headers });
			types[kind] = (await response.json()) as TypeListed[];
		}
	});

	test.each([
		['nodes', NODE_TYPE, 'Activepieces'],
		['nodes', `${NODE_TYPE}Tool`, 'Activepieces Tool'],
		['nodes', TRIGGER_TYPE, 'Activepieces Trigger'],
		['credentials', CREDENTIAL_TYPE, 'Activepieces API'],
		['credentials', SIGN_IN_TYPE, 'Activepieces Sign-In API'],
	] as const)('lists among the %s %s, with its icons', async (kind, name, displayName) => {
		const type = types[kind].find((each) => each.name === name);
		expect(type?.displayName).toBe(displayName);
		const { light, dark } = type?.iconUrl as { light: string; dark: string };
		expect(light).not.toBe(dark);
		for (const icon of [light, dark]) {
			const response = await fetch(`${running.server.url}/${icon}`);
			expect(response.status).toBe(200);
			expect(response.headers.get('content-type')).toMatch(/svg/);
			expect(await response.text()).toContain('<svg');
		}
	});

	test.each(ENTERED)('tests a credential with $name', async (entered) => {
		const { type = CREDENTIAL_TYPE, change, status, says } = entered;
		const json = type === SIGN_IN_TYPE ? signInJson : credentialJson;
		const credential = json('example', services['0.85']);
		const data = change(credential.data as ICredentialDataDecryptedObject);
		const answer = await running.rest.post<{ status: string; message: string }>(
			'/rest/credentials/test',
			{ credentials: { ...credential, data } },
		);
		expect(answer).toEqual({ status, message: expect.stringMatching(says) });
		expect(answer.message).not.toContain(data.apiKey ?? data.password);
	});

	/** A locator's entries, with the API key or signed in. */
	async function search(
		locator: string,
		filter?: string,
		paginationToken?: string,
		authentication = 'apiKey',
	) {
		const node = types.nodes.find(({ name }) => name === NODE_TYPE);
		const method = node?.properties
			.find(({ name, type }) => name === locator && type === 'resourceLocator')
			?.modes?.find(({ name }) => name === 'list')?.typeOptions?.searchListMethod;
		return await running.rest.post<INodeListSearchResult>(
			'/rest/dynamic-node-parameters/resource-locator-results',
			{
				path: `parameters.${locator}`,
				nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
				methodName: method,
				filter,
				paginationToken,
				currentNodeParameters: { authentication },
				credentials: {
					[CREDENTIAL_TYPE]: { id: 'example', name: 'example' },
					[SIGN_IN_TYPE]: { id: 'person', name: 'person' },
				},
			},
		);
	}

	describe.each(LOCATORS)('the list of $locator', ({ locator, path, held }) => {
		// The service gives smaller pages than asked for, so that there is a second one.
		beforeEach(() => {
			if (path !== undefined) services['0.85'].fault({ path, kind: { pageCap: 55 } });
		});
		afterEach(() => services['0.85'].clearFaults());

		test('has every record, page by page', async () => {
			const ids: unknown[] = [];
			let pages = 0;
			let token: string | undefined;
			do {
				const page = await search(locator, undefined, token);
				// That of folders may begin with "No Folder".
				ids.push(...page.results.map(({ value }) => value).filter((value) => value !== 'NULL'));
				token = page.paginationToken as string | undefined;
				pages++;
			} while (token !== undefined && pages < 100);
			const wanted = held(services['0.85'].data).map(({ id }) => id);
			expect(ids.sort()).toEqual(wanted.sort());
			if (path !== undefined) expect(pages).toBeGreaterThan(1);
		});

		test('can be searched', async () => {
			const { results } = await search(locator);
			const { name, value } = results[results.length - 1];
			const found = await search(locator, name.toUpperCase());
			expect(found.results).toContainEqual(expect.objectContaining({ name, value }));
			expect(found.results.length).toBeLessThanOrEqual(results.length);
			expect((await search(locator, 'there is no such record')).results).toEqual([]);
		});
	});

	test('lists what a person may see who signs in', async () => {
		const { results } = await search('projectId', undefined, undefined, 'signIn');
		const names = services['0.85'].data.projects.map(({ displayName }) => displayName);
		expect(names).toEqual(expect.arrayContaining(results.map(({ name }) => name)));
		expect(results.length).toBeGreaterThan(0);
		const signIns = services['0.85'].requests.filter(({ path }) => path.endsWith('/sign-in'));
		expect(signIns.map(({ status }) => status)).toContain(200);
	});
});
