import { failedRun } from '../operations/flowRun';
import { INPUT } from '../service/routes/webhooks';
import { ofRecord } from './harness/parameters';
import { helpers, runFlow, WAIT } from './harness/runFlow';
import { useService } from './harness/service';
import { SIGN_IN, signInCredential } from './harness/signIn';

/** What releases from 0.89 on do, read in the service's source. */
describe('a call that waits for a run that fails', () => {
	const traits = { failedCallsAnswered: true, failsBeforeRecord: true };
	const context = useService({ release: '0.86', traits, data: { flows: 6 } });
	const { add } = helpers(context);

	test('fails at once, and points to the run, whose record does not say so yet', async () => {
		const { webhooks } = context.service;
		const flow = add({ body: INPUT });
		webhooks.ends.set(flow.id, 'fails');
		await context.failsWith(
			runFlow(flow.id, WAIT),
			/ended before it reached Return Response$/,
			/open the newest run of the flow/,
		);
		expect(webhooks.runs).toHaveLength(1);
		await webhooks.settled();
	});
});

describe('on Cloud', () => {
	const traits = { retryNeedsCredits: true, onboarding: false };
	const context = useService({ release: '0.86', traits, data: { flows: 6, flowRuns: 30 } });

	test('a retry without credits names the plan, and changes nothing', async () => {
		const { id } = failedRun(context.data)!;
		await context.failsWith(ofRecord('flowRun.retry', id), /plan/, /Nothing was changed/);
		expect(failedRun(context.data)?.status).toBe('FAILED');
	});

	test('a user without a platform is told so', async () => {
		const [account] = context.accounts;
		const { platform } = account;
		account.platform = null;
		const parameters = { ...SIGN_IN, resource: 'project', operation: 'getAll' };
		const given = { credential: signInCredential(context) };
		await context.failsWith(parameters, /platform/, /finish signing up/, given);
		account.platform = platform;
	});
});
