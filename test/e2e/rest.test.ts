import type { ICredentialDataDecryptedObject, INodeListSearchResult } from 'n8n-workflow';

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

type Data = ICredentialDataDecryptedObject;

/** Values that a person may enter, and the result of the credential test. */
const ENTERED: Array<[string, type: string, change: Data, says: RegExp]> = [
	['a good key', CREDENTIAL_TYPE, {}, /^OK: .*successful/],
	[
		'a wrong URL',
		CREDENTIAL_TYPE,
		{ baseUrl: 'http://127.0.0.1:9/api' },
		/^Error: No server responds at 127\.0\.0\.1:9/,
	],
	['email and password', SIGN_IN_TYPE, {}, /^OK: .*successful/],
	[
		'a wrong password',
		SIGN_IN_TYPE,
		{ password: 'not-the-password' },
		/^Error: .*did not accept the email and password/,
	],
];

describe.each(N8N_RELEASES)('n8n %s, as its editor asks it', (n8n) => {
	const services = useServices({ data: { projects: 3, flows: 130 } });
	const service = () => services['0.85'];
	const running = useN8n(n8n, async (home) => {
		await importCredentials(home, [
			credentialJson('example', service()),
			signInJson('person', service()),
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

	test.each(ENTERED)('tests a credential with %s', async (_name, type, change, says) => {
		const json = type === SIGN_IN_TYPE ? signInJson : credentialJson;
		const credential = json('example', service());
		const entered = credential.data as Data;
		const data = { ...entered, ...change };
		const { status, message } = await running.rest.post<Record<'status' | 'message', string>>(
			'/rest/credentials/test',
			{ credentials: { ...credential, data } },
		);
		expect(`${status}: ${message}`).toMatch(says);
		expect(message).not.toContain(data.apiKey ?? data.password);
	});

	/** A locator's entries, with the API key or the Sign-In credential. */
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

	test('lists every record of a list in pages', async () => {
		// Smaller pages than requested, so that there is a second page.
		service().fault({ path: '/v1/flows', kind: { pageCap: 55 } });
		try {
			const ids: unknown[] = [];
			let pages = 0;
			let token: string | undefined;
			do {
				const page = await search('flowId', undefined, token);
				ids.push(...page.results.map(({ value }) => value));
				token = page.paginationToken as string | undefined;
				pages++;
			} while (token !== undefined && pages < 100);
			expect(ids.sort()).toEqual(
				service()
					.data.flows.map(({ id }) => id)
					.sort(),
			);
			expect(pages).toBeGreaterThan(1);
		} finally {
			service().clearFaults();
		}
	});

	test('lists what the signed-in user may see', async () => {
		const { results } = await search('projectId', undefined, undefined, 'signIn');
		const names = service().data.projects.map(({ displayName }) => displayName);
		expect(names).toEqual(expect.arrayContaining(results.map(({ name }) => name)));
		expect(results.length).toBeGreaterThan(0);
		const signIns = service().requests.filter(({ path }) => path.endsWith('/sign-in'));
		expect(signIns.map(({ status }) => status)).toContain(200);
	});
});
