import { byId } from '../engine/harness/byId';
import { startService } from '../service';
import { stepsOf } from '../service/webhookSteps';
import { credentialJson, execute, importCredentials, importWorkflows } from './support/headless';
import { freshHome } from './support/homes';
import { N8N_RELEASES } from './support/install';
import { activepieces, fields, fromEach, trigger, workflow } from './support/workflow';

const ANSWER = { body: { done: true } };
const AUTHENTICATION = { authType: 'basic', authFields: { username: 'hook', password: 'pass' } };
const AUTHORIZATION = `Basic ${Buffer.from('hook:pass').toString('base64')}`;
const HEADER = { headers: { values: [{ name: 'Authorization', value: AUTHORIZATION }] } };
const NO_ANSWER = expect.stringMatching(/returned no response within 1 second/) as string;

// n8n's own HTTP client handles calls differently in each release; the rest is tested in n8n's engine.
test.each(N8N_RELEASES)('n8n %s waits for flows, whatever their outcome', async (n8n) => {
	const home = await freshHome(n8n);
	const service = await startService({ data: { flows: 1 } });
	try {
		service.webhooks.timeoutSeconds = 1;
		const add = (input = {}, answer?: typeof ANSWER) =>
			service.live.addFlow({ enabled: true, steps: stepsOf('webhook', input, answer) }).id;
		const flows = {
			answers: add({}, ANSWER),
			'asks for a header': add(AUTHENTICATION, ANSWER),
			'is slow': add({}, ANSWER),
			'is not waited for': add(),
		};
		service.webhooks.ends.set(flows['is slow'], 'isSlow');
		const steps = Object.entries(flows).map(([name, id]) => {
			const run = { resource: 'flow', operation: 'run', input: '={{ $json }}', flowId: byId(id) };
			const more = { waitForResponse: name !== 'is not waited for', options: HEADER };
			return activepieces(name, 'good', { ...run, ...more }, { onError: 'continueRegularOutput' });
		});
		const input = [trigger(), fields('Input', { order: '1001' })];
		await importCredentials(home, [credentialJson('good', service)]);
		await importWorkflows(home, [workflow('calls', [...input, ...steps], fromEach(input, steps))]);
		const { items } = await execute(home, 'calls');

		const given = Object.keys(flows).map((name) => items(name).map(({ json }) => json));
		expect(given).toMatchObject([
			[ANSWER.body],
			[ANSWER.body],
			[{ error: NO_ANSWER, order: '1001' }],
			[{ accepted: true }],
		]);
		const { runs } = service.webhooks;
		expect(runs.map(({ flowId }) => flowId).sort()).toEqual(Object.values(flows).sort());
		for (const { body } of runs) expect(body).toEqual({ order: '1001' });
		// Webhooks are public, and the run stores whatever a call contains.
		const calls = service.requests.filter(({ path }) => path.startsWith('/v1/webhooks/'));
		expect(JSON.stringify(calls)).not.toContain(service.apiKey);
	} finally {
		await service.close();
	}
});
