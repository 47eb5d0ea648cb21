import { setValues, type Example } from './example';

/** Examples that post or write a message. */
export const alerts: Record<string, Example> = {
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
			setValues(workflow, { webhookUrl: `${inbox.url}/connections` });
		},
		verify(_outcome, { inbox, service: { data } }) {
			const message = (connection: string, flows: string) =>
				`The connection "${connection}" of ${data.projects[0].displayName} does not work. Affected flows: ${flows}. Owner: ${data.admin.email}`;
			expect(inbox.texts('connections').sort()).toEqual([
				message('The crm', 'Both, One'),
				message('The mail', 'Both'),
			]);
		},
	},
	'deleted-flow-alert': {
		isForEnterprise: true,
		prepare(workflow, { inbox, service }) {
			service.live.addAuditEvent({ action: 'flow.deleted' });
			setValues(workflow, { webhookUrl: `${inbox.url}/deleted` });
		},
		verify(_outcome, { inbox, service }) {
			const { admin, flows, projects } = service.data;
			expect(inbox.texts('deleted')).toEqual([
				`${admin.email} has deleted the flow *${flows[0].version.displayName}* in ${projects[0].displayName}`,
			]);
		},
	},
	'failed-run-message': {
		prepare(workflow, { inbox, service }) {
			service.live.addFlowRun({ status: 'FAILED' });
			setValues(workflow, { webhookUrl: `${inbox.url}/runs` });
		},
		verify(_outcome, { inbox, service: { data, origin } }) {
			const [{ id, projectId }] = data.flowRuns;
			const [text, ...others] = inbox.texts('runs');
			expect(others).toEqual([]);
			expect(text).toContain('has failed (FAILED) at step Send HTTP request: Request failed');
			expect(text).toMatch(new RegExp(`\\s${origin}/projects/${projectId}/runs/${id}$`));
		},
	},
	/** The ticket of the last failed run names its flow, project, page and step, the error and the input. */
	'failed-step-ticket': {
		prepare(_workflow, { service }) {
			const run = service.live.addFlowRun({ status: 'FAILED', log: true });
			// A step that failed before, of which the settings allow it
			run.steps = { tolerated: run.steps[run.failedStep!.name], ...run.steps };
		},
		verify({ records }, { service }) {
			const { flowRuns, projects } = service.data;
			const [{ failedStep, id, projectId, version }] = flowRuns;
			const { displayName: project } = projects.find((each) => each.id === projectId)!;
			const page = `${service.origin}/projects/${projectId}/runs/${id}`;
			const named = `Flow: ${version.displayName}\nProject: ${project}\nRun: ${page}\n`;
			const [{ title, body }, ...others] = records('Write Ticket');
			expect(others).toEqual([]);
			expect(title).toBe(`Step ${failedStep?.displayName} failed in ${version.displayName}`);
			expect(body).toContain(named);
			expect(body).toMatch(/500[^]+Input of the step:\n\{/);
		},
	},
	/** Posts a test and, because there is no backlog, the second message. */
	'queue-backlog': {
		prepare(workflow, { inbox, service }) {
			service.live.setQueue({ waiting: 3, prioritized: 0 });
			setValues(workflow, { webhookUrl: `${inbox.url}/queue`, waitMinutes: 0.02 });
		},
		verify(_outcome, { inbox }) {
			expect(inbox.texts('queue')).toEqual([
				'Test: alerts about a backlog in Activepieces are posted here',
				'The Activepieces backlog is gone: 3 jobs are waiting',
			]);
		},
	},
};
