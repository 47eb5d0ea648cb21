import { type Runs, setValues } from './example';

export const runs: Runs = {
	/** A message for each broken connection that stops enabled flows, with their names. */
	'broken-connection-alert': {
		prepare(workflow, { inbox, service }) {
			const { data, live } = service;
			const [{ id: projectId }] = data.projects;
			const add = (externalId: string, status: 'ACTIVE' | 'ERROR' | 'MISSING') =>
				live.addConnection({ projectId, externalId, name: `The ${externalId}`, status });
			const use = (connectionIds: string[], name: string, enabled = true) =>
				live.addFlow({ projectId, connectionIds, name, enabled });
			for (const externalId of ['crm', 'unused']) add(externalId, 'ERROR');
			add('mail', 'MISSING');
			add('works', 'ACTIVE');
			use(['crm', 'mail'], 'Both');
			use(['crm', 'works'], 'One');
			use(['mail', 'works'], 'Off', false);
			setValues(workflow, 'Settings', { webhookUrl: `${inbox.url}/connections` });
		},
		verify(_outcome, { inbox, service }) {
			const [{ displayName }] = service.data.projects;
			const message = (connection: string, flows: string) =>
				`The connection "${connection}" of ${displayName} does not work. Affected flows: ${flows}. Owner: ${service.data.admin.email}`;
			const texts = inbox.received.map(({ body }) => (body as { text: string }).text);
			expect(texts.sort()).toEqual([message('The crm', 'Both, One'), message('The mail', 'Both')]);
		},
	},
};
