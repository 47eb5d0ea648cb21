import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { type Release, type Service, startService } from '../service';
import { stepsOf } from '../service/webhookSteps';
import type { Home } from './support/home';
import { credentialJson, execute, importCredentials, importWorkflows } from './support/headless';
import { freshHome } from './support/homes';
import { N8N_RELEASES } from './support/install';
import { activepieces, fields, trigger, workflow } from './support/workflow';

/** The oldest and one of those that say nothing of a run that fails. */
const RELEASES: Release[] = ['0.73', '0.85'];

const RUN: INodeParameters = { resource: 'flow', operation: 'run', input: '={{ $json }}' };
const ON_ERROR = { onError: 'continueRegularOutput' } as const;
const WAIT: INodeParameters = { waitForResponse: true };

interface Call {
	/** Adds the flow, and gives its ID */
	flow: (service: Service) => string;
	parameters?: INodeParameters;
	/** What comes out, or the message of the error */
	gives: IDataObject | ((release: Release) => RegExp);
	/** Whether the flow runs; `withoutInput` if its trigger drops the input */
	runs: boolean | 'withoutInput';
}

const ANSWER = { body: { done: true } };
const AUTHENTICATION = { authType: 'basic', authFields: { username: 'hook', password: 'pass' } };
const AUTHORIZATION = `Basic ${Buffer.from('hook:pass').toString('base64')}`;

const enabled =
	(kind: string, { input = {}, answer }: { input?: IDataObject; answer?: typeof ANSWER } = {}) =>
	({ live }: Service) =>
		live.addFlow({ name: 'Called', enabled: true, steps: stepsOf(kind, input, answer) }).id;

const ending = (end: 'fails' | 'isSlow') => (service: Service) => {
	const id = enabled('webhook', { answer: ANSWER })(service);
	service.webhooks.ends.set(id, end);
	return id;
};

const NO_ANSWER = /returned no response within 1 second/;

const CALLS: Record<string, Call> = {
	'a webhook': { flow: enabled('webhook'), gives: { accepted: true }, runs: true },
	'a webhook that is waited for': {
		flow: enabled('webhook', { answer: ANSWER }),
		parameters: WAIT,
		gives: ANSWER.body,
		runs: true,
	},
	'a webhook without Return Response': {
		flow: enabled('webhook'),
		parameters: WAIT,
		gives: () => /has no Return Response step/,
		runs: false,
	},
	'a schedule': { flow: enabled('schedule'), gives: { accepted: true }, runs: 'withoutInput' },
	'a schedule that is waited for': {
		flow: enabled('schedule'),
		parameters: WAIT,
		gives: () => /starts on a schedule, so it does not return a response/,
		runs: false,
	},
	'a manual trigger': {
		flow: enabled('manual-trigger'),
		gives: { accepted: true },
		runs: 'withoutInput',
	},
	'a subflow': { flow: enabled('subflows'), gives: { accepted: true }, runs: true },
	'an app': { flow: enabled('gmail'), gives: { accepted: true }, runs: true },
	'a flow that fails': {
		flow: ending('fails'),
		parameters: WAIT,
		gives: (release) =>
			release === '0.73' ? /ended before it reached Return Response/ : NO_ANSWER,
		runs: true,
	},
	'a slow flow': { flow: ending('isSlow'), parameters: WAIT, gives: () => NO_ANSWER, runs: true },
	'a disabled flow': {
		flow: ({ live }) => live.addFlow({ published: true }).id,
		gives: () => /is disabled/,
		runs: false,
	},
	'a flow that was never published': {
		flow: ({ live }) => live.addFlow().id,
		gives: () => /was never published/,
		runs: false,
	},
	'a webhook with authentication': {
		flow: enabled('webhook', { input: AUTHENTICATION, answer: ANSWER }),
		parameters: WAIT,
		gives: () => /requires the header authorization/i,
		runs: false,
	},
	'a webhook with authentication, and its header': {
		flow: enabled('webhook', { input: AUTHENTICATION, answer: ANSWER }),
		parameters: {
			...WAIT,
			options: { headers: { values: [{ name: 'Authorization', value: AUTHORIZATION }] } },
		},
		gives: ANSWER.body,
		runs: true,
	},
};

describe.each(N8N_RELEASES)('n8n %s runs flows', (n8n) => {
	let home: Home;
	beforeAll(async () => {
		home = await freshHome(n8n);
	});

	test.each(RELEASES)(
		'of every kind of trigger and every end: Activepieces %s',
		async (release) => {
			const service = await startService({ release, data: { flows: 1 } });
			try {
				service.webhooks.timeoutSeconds = 1;
				const ids = Object.fromEntries(
					Object.entries(CALLS).map(([name, { flow }]) => [name, flow(service)]),
				);
				const start = trigger();
				const input = fields('Input', { order: '1001' });
				const steps = Object.entries(CALLS).map(([name, { parameters }]) =>
					activepieces(name, release, { ...RUN, flowId: byId(ids[name]), ...parameters }, ON_ERROR),
				);
				await importCredentials(home, [credentialJson(release, service)]);
				await importWorkflows(home, [
					workflow(
						release,
						[start, input, ...steps],
						[
							{ from: start.name, to: input.name },
							...steps.map(({ name }) => ({ from: input.name, to: name })),
						],
					),
				]);
				const outcome = await execute(home, release);

				for (const [name, { gives, runs }] of Object.entries(CALLS)) {
					const given = outcome.items(name).map(({ json }) => json);
					const wanted =
						typeof gives === 'function'
							? { error: expect.stringMatching(gives(release)), order: '1001' }
							: gives;
					expect([name, given]).toEqual([name, [expect.objectContaining(wanted)]]);
					const own = service.webhooks.runs.filter(({ flowId }) => flowId === ids[name]);
					expect([name, own.map(({ body }) => body)]).toEqual([
						name,
						!runs ? [] : [runs === true ? { order: '1001' } : undefined],
					]);
				}
				// Webhooks are public: whatever comes with a call is stored in the run.
				const calls = service.requests.filter(({ path }) => path.startsWith('/v1/webhooks/'));
				expect(JSON.stringify(calls)).not.toContain(service.apiKey);
			} finally {
				await service.close();
			}
		},
	);
});
