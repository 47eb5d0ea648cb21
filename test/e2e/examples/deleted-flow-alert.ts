import { type Runs, setValues } from './example';

export const runs: Runs = {
	/** Posts who deleted which flow of which project. */
	'deleted-flow-alert': {
		isForEnterprise: true,
		prepare(workflow, { inbox, service }) {
			service.live.addAuditEvent({ action: 'flow.deleted' });
			setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/deleted` });
		},
		verify(_outcome, { inbox, service }) {
			const { admin, flows, projects } = service.data;
			const text = `${admin.email} has deleted the flow *${flows[0].version.displayName}* in ${projects[0].displayName}`;
			expect(inbox.received).toEqual([{ path: '/deleted', body: { text } }]);
		},
	},
};
