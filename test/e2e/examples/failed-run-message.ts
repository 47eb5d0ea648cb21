import { type Runs, setValues } from './example';

export const runs: Runs = {
	/** Posts the last failed run, with a link. */
	'failed-run-message': {
		prepare(workflow, { inbox, service }) {
			service.live.addFlowRun({ status: 'FAILED' });
			setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/runs` });
		},
		verify(_outcome, { inbox, service }) {
			const [{ id, projectId }] = service.data.flowRuns;
			const text = expect.stringMatching(
				new RegExp(
					`has failed \\(FAILED\\) at step Send HTTP request: Request failed.*\\s+${service.origin}/projects/${projectId}/runs/${id}$`,
					's',
				),
			) as string;
			expect(inbox.received).toEqual([{ path: '/runs', body: { text } }]);
		},
	},
};
