import { rows, type Runs } from './example';

export const runs: Runs = {
	/** The ticket of the last failed run names its step, the error and the input. */
	'failed-step-ticket': {
		prepare(_workflow, { service }) {
			service.live.addFlowRun({ status: 'FAILED', log: true });
		},
		verify(outcome, { service }) {
			const [{ failedStep }] = service.data.flowRuns;
			expect(rows(outcome, 'Write Ticket')).toEqual([
				{
					title: `Step ${failedStep?.displayName} failed`,
					body: expect.stringMatching(/500[^]+Input of the step:\n\{/) as string,
				},
			]);
		},
	},
};
