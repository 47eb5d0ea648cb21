import type { INodeListSearchResult } from 'n8n-workflow';

import { type Service, startService } from '../service';
import { credentialJson, signInJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import { useN8n } from './support/running';
import { CREDENTIAL_TYPE, NODE_TYPE, SIGN_IN_TYPE, TRIGGER_TYPE } from './support/workflow';

interface TypeListed {
	name: string;
	displayName: string;
	iconUrl?: { light: string; dark: string };
}

describe.each(N8N_RELEASES)('n8n %s, as its editor asks it', (n8n) => {
	let service: Service;
	const running = useN8n(n8n, async (ends) => {
		service = await ends(startService({ data: { projects: 3, flows: 130 } }));
		return [[credentialJson('example', service), signInJson('person', service)]];
	});

	test.each([
		['nodes', NODE_TYPE, 'Activepieces'],
		['nodes', `${NODE_TYPE}Tool`, 'Activepieces Tool'],
		['nodes', TRIGGER_TYPE, 'Activepieces Trigger'],
		['credentials', CREDENTIAL_TYPE, 'Activepieces API'],
		['credentials', SIGN_IN_TYPE, 'Activepieces Sign-In API'],
	])('lists among the %s %s, with its icons', async (kind, name, displayName) => {
		const { server, rest } = running;
		const { cookie } = rest;
		const types = await fetch(`${server.url}/types/${kind}.json`, { headers: { cookie } });
		const type = ((await types.json()) as TypeListed[]).find((each) => each.name === name);
		expect(type?.displayName).toBe(displayName);
		const icons = Object.values(type?.iconUrl ?? {});
		expect(new Set(icons).size).toBe(2);
		for (const icon of icons) {
			const response = await fetch(`${server.url}/${icon}`);
			expect(response.status).toBe(200);
			expect(response.headers.get('content-type')).toMatch(/svg/);
			expect(await response.text()).toContain('<svg');
		}
	});

	test.each([
		['apiKey', 'flows with an API key'],
		['signIn', 'flows of the signed-in user'],
	])('lists in pages (%s) the %s', async (authentication) => {
		// Smaller pages than requested, so that there is a second page.
		service.fault({ path: '/v1/flows', kind: { pageCap: 55 } });
		const ids: unknown[] = [];
		let pages = 0;
		let paginationToken: unknown;
		do {
			const page = await running.rest.post<INodeListSearchResult>(
				'/rest/dynamic-node-parameters/resource-locator-results',
				{
					path: 'parameters.flowId',
					nodeTypeAndVersion: { name: NODE_TYPE, version: 1 },
					methodName: 'searchFlows',
					paginationToken,
					currentNodeParameters: { authentication },
					credentials: {
						[CREDENTIAL_TYPE]: { id: 'example', name: 'example' },
						[SIGN_IN_TYPE]: { id: 'person', name: 'person' },
					},
				},
			);
			ids.push(...page.results.map(({ value }) => value));
			({ paginationToken } = page);
			pages++;
		} while (paginationToken !== undefined && pages < 100);
		service.clearFaults();
		expect(pages).toBeGreaterThan(1);
		expect(ids.sort()).toEqual(service.data.flows.map(({ id }) => id).sort());
		const signIns = service.requests.filter(({ path }) => path.endsWith('/sign-in'));
		expect(signIns.some(({ status }) => status === 200)).toBe(authentication === 'signIn');
	});
});
