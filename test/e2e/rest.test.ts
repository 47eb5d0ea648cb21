import type { ICredentialDataDecryptedObject, INodeListSearchResult } from 'n8n-workflow';

import { credentialJson, importCredentials } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import { useServices } from './support/services';
import { CREDENTIAL_TYPE, NODE_TYPE } from './support/workflow';

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
	change: (data: { baseUrl: string; apiKey: string }) => ICredentialDataDecryptedObject;
	status: 'OK' | 'Error';
	says: RegExp;
}> = [
	{ name: 'a good key', change: (data) => data, status: 'OK', says: /successful/ },
	{
		name: 'a wrong key',
		change: (data) => ({ ...data, apiKey: 'sk-wrong' }),
		status: 'Error',
		says: /does not accept the API key/,
	},
	{
		name: 'a wrong URL',
		change: (data) => ({ ...data, baseUrl: 'http://127.0.0.1:9/api' }),
		status: 'Error',
		says: /Nothing answers at 127\.0\.0\.1:9/,
	},
	{
		name: 'the address of the web app',
		change: (data) => ({ ...data, baseUrl: data.baseUrl.replace(/\/api$/, '') }),
		status: 'Error',
		says: /web page.*\/api/,
	},
];

/** More than the editor gets at once, of everything that is listed page by page. */
const MANY = { projects: 60, foldersPerProject: 3, flows: 10, templates: 12, invitations: 260 };

describe.each(N8N_RELEASES)('n8n %s, as its editor asks it', (n8n) => {
	const services = useServices({ data: MANY });
	const running = useN8n(n8n, async (home) => {
		await importCredentials(home, [credentialJson('example', services['0.85'])]);
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
		['credentials', CREDENTIAL_TYPE, 'Activepieces API'],
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

	test.each(ENTERED)('tests a credential with $name', async ({ change, status, says }) => {
		const { baseUrl, apiKey } = services['0.85'];
		const data = change({ baseUrl, apiKey });
		const answer = await running.rest.post<{ status: string; message: string }>(
			'/rest/credentials/test',
			{ credentials: { id: 'example', name: 'example', type: CREDENTIAL_TYPE, data } },
		);
		expect(answer).toEqual({ status, message: expect.stringMatching(says) });
		expect(answer.message).not.toContain(data.apiKey);
	});

	async function search(locator: string, filter?: string, paginationToken?: string) {
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
				currentNodeParameters: { authentication: 'apiKey' },
				credentials: { [CREDENTIAL_TYPE]: { id: 'example', name: 'example' } },
			},
		);
	}

	describe.each([
		{ locator: 'projectId', records: 'projects', path: '/v1/projects' },
		{ locator: 'folderId', records: 'folders', path: '/v1/folders' },
		{ locator: 'templateId', records: 'templates', path: undefined },
		{ locator: 'invitationId', records: 'invitations', path: '/v1/user-invitations' },
	] as const)('the list of $locator', ({ locator, records, path }) => {
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
				ids.push(...page.results.map(({ value }) => value));
				token = page.paginationToken as string | undefined;
				pages++;
			} while (token !== undefined && pages < 100);
			// Shared templates of other platforms cannot be deleted with the key, and are not listed.
			const held = services['0.85'].data[records]
				.filter((each) => records !== 'templates' || ('type' in each && each.type === 'CUSTOM'))
				.map(({ id }) => id);
			expect(ids.sort()).toEqual(held.sort());
			if (path !== undefined) expect(pages).toBeGreaterThan(1);
		});

		test('can be searched', async () => {
			const { results } = await search(locator);
			const { name, value } = results[results.length - 1];
			const found = await search(locator, name.toUpperCase());
			expect(found.results).toContainEqual({ name, value });
			expect(found.results.length).toBeLessThanOrEqual(results.length);
			expect((await search(locator, 'there is no such record')).results).toEqual([]);
		});
	});
});
