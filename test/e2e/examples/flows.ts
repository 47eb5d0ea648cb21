/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads what n8n wrote, never inside n8n */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { byId } from '../../engine/harness/byId';
import { find } from '../../operations/facts';
import type { Service, ServiceData } from '../../service';
import { INPUT } from '../../service/routes/webhooks';
import { stepsOf, type Answer } from '../../service/webhookSteps';
import {
	changesOf,
	nodeOf,
	saveTo,
	setValues,
	type Example,
	type ExampleContext,
	type WorkflowJson,
} from './example';
import { secretOf } from './inbox';

const COPIED = 'Copied';

/** Adds a flow with only a trigger, which uses a connection, to the first project. */
function addFlowWith({ data, live }: Service, name: string, connection?: string) {
	const flow = live.addFlow({ projectId: data.projects[0].id, name, enabled: true });
	const trigger = structuredClone(flow.version.trigger);
	delete trigger.nextAction;
	const { input } = trigger.settings as { input: Record<string, unknown> };
	if (connection !== undefined) input.auth = `{{connections['${connection}']}}`;
	flow.version = { ...flow.version, trigger };
	return flow;
}

/** Adds a flow with this connection to the first project, to be copied to the second. */
function prepareCopy(workflow: WorkflowJson, service: Service, connection?: string): void {
	const { id: flowId } = addFlowWith(service, COPIED, connection);
	setValues(workflow, { flowId, projectId: service.data.projects[1].id });
}

const copyOf = ({ data: { flows, projects } }: Service) =>
	flows.find((flow) => flow.projectId === projects[1].id && flow.version.displayName === COPIED);

const CUSTOMER = { customer: 'Ada Ltd', customerId: 'customers/ada', email: 'ada@example.test' };

/** What the project of the customer has. */
function customerIn({ projects, flows, projectConnections, invitations }: ServiceData) {
	const found = projects.filter(({ externalId }) => externalId === CUSTOMER.customerId);
	const [{ id }] = found;
	return {
		projects: found,
		flows: flows.filter(({ projectId }) => projectId === id),
		connections: projectConnections.filter(({ projectIds }) => projectIds.includes(id)),
		invitations: invitations.filter(({ projectId }) => projectId === id),
	};
}

/** Adds a project that has the customer's ID already. */
function addCustomer({ live }: Service, name: string) {
	const project = live.addProject(name);
	project.externalId = CUSTOMER.customerId;
	return project;
}

/** Sets the values of the customer, and writes flows with these names as Flow backup does. */
function prepareCustomer(
	workflow: WorkflowJson,
	{ folder, inbox, service }: ExampleContext,
	{ names = ['Welcome', 'Report'], connection = 'telegram-bot' } = {},
) {
	setValues(workflow, { ...CUSTOMER, folder, secretUrl: `${inbox.url}/customers` });
	for (const name of names) {
		const { id, version } = addFlowWith(service, name, connection);
		const { displayName, trigger, schemaVersion } = version;
		const flow = { displayName, trigger, schemaVersion };
		writeFileSync(join(folder, `${id}.json`), JSON.stringify({ name, flow }));
	}
}

const notImported = (folder: string, found: string) =>
	`No flow was imported. ${folder} must have one .json file for each flow, each with another name. It has: ${found}. Change the files, or folder in Settings.`;

const MINUTE = 60_000;

/**
 * Adds runs of the first published flow: a number of runs that failed in the last hours, newest first,
 * then one that succeeded and two that failed earlier.
 */
function addRuns({ live }: Service, failed: number): void {
	const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();
	for (const old of [5000, 1800]) live.addFlowRun({ status: 'FAILED', created: ago(old) });
	live.addFlowRun({ status: 'SUCCEEDED', created: ago(200) });
	for (let i = failed; i > 0; i--) {
		live.addFlowRun({ status: 'FAILED', created: ago(i * 10), log: true });
	}
}

/** Adds the flow that is run for each row. */
function addFlow(workflow: WorkflowJson, { live }: Service, answer: Answer): void {
	const steps = stepsOf('webhook', {}, answer);
	const { id } = live.addFlow({ name: 'Check order', enabled: true, steps });
	nodeOf(workflow, 'Run Flow').parameters.flowId = byId(id);
}

const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id);

export const flows: Record<string, Example> = {
	/** The agent calls its four tools, and its response contains the stand-in's records. */
	'automation-assistant': {
		isForEnterprise: true,
		verify({ records }, { service }) {
			const answer = String(records('Automation Assistant')[0].output);
			const { connections, flows, queue } = service.data;
			for (const tool of ['Get_Flows', 'Count_Flows', 'Get_Connections', 'Get_Queue_Metrics']) {
				expect(answer).toContain(`${tool} says: `);
			}
			const listed = flows.filter(({ version }) => answer.includes(version.displayName));
			expect(listed).toHaveLength(Math.min(flows.length, 50));
			for (const { externalId } of connections.slice(0, 50)) expect(answer).toContain(externalId);
			expect(answer).toContain(`"count":${flows.length}`);
			expect(answer).toContain(`"active":${queue.active}`);
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** A flow that uses no connection is copied, and the copy runs. */
	'copy-flow': {
		prepare: (workflow, { service }) => prepareCopy(workflow, service),
		verify({ records, executed }, { service }) {
			service.settleFlowChanges();
			expect(copyOf(service)).toMatchObject({ status: 'ENABLED' });
			expect(records('Publish Flow')).toMatchObject([{ id: copyOf(service)?.id }]);
			expect(executed).not.toContain('Connections Missing');
		},
	},
	/** A copy whose project lacks a connection is not published; the connection is named. */
	'copy-flow-without-connection': {
		of: 'copy-flow',
		prepare: (workflow, { service }) => prepareCopy(workflow, service, 'only-in-the-first'),
		verify({ records, executed }, { service }) {
			expect(copyOf(service)).toMatchObject({ status: 'DISABLED', publishedVersionId: null });
			const [missing] = records('Connections Missing');
			expect(String(missing.missingConnections)).toContain('only-in-the-first');
			expect(executed).not.toContain('Publish Flow');
		},
	},
	/** The published version of a flow is again what it was before; a second run changes nothing. */
	'roll-back-flow': {
		prepare(workflow, { service: { live } }) {
			const { id, version } = live.addFlow({ enabled: true, name: 'Orders' });
			live.editFlow(id, 'Orders, changed');
			live.publishFlow(id);
			const { parameters } = nodeOf(workflow, 'Export Version');
			Object.assign(parameters, { flowId: byId(id), versionId: version.id });
		},
		verify({ records }, { service }) {
			service.settleFlowChanges();
			const [{ id, change }] = records('Import Version');
			expect(change).toBe('updated');
			const { status, publishedVersionId, version } = find(service.data.flows, id as string);
			expect([status, version.displayName]).toEqual(['ENABLED', 'Orders']);
			expect(publishedVersionId).toBe(version.id);
		},
		verifyAgain({ records }, { service }) {
			expect(records('Import Version')).toMatchObject([{ change: 'unchanged' }]);
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** As imported: reports the failed runs, newest first, and retries none. */
	'failed-runs': {
		prepare: (_workflow, { service }) => addRuns(service, 12),
		verify({ records, executed }, { service }) {
			const report = records('Report');
			expect(report.map(({ runId }) => runId)).toEqual(ids(service.data.flowRuns).slice(0, 12));
			expect(report[0]).toMatchObject({
				status: 'FAILED',
				step: 'Send HTTP request',
				message: 'Request failed with status code 500',
			});
			expect(executed).toContain('Only Reported');
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** After checking the report: each failed run of it is queued again, once; the others stay. */
	'failed-runs-retried': {
		of: 'failed-runs',
		prepare(workflow, { service }) {
			addRuns(service, 3);
			setValues(workflow, { retry: true });
		},
		verify({ records, executed }, { service }) {
			const failed = records('Report').map(({ runId }) => runId);
			expect(failed).toHaveLength(3);
			expect(records('Retried').map(({ runId }) => runId)).toEqual(failed);
			const queued = service.data.flowRuns.filter(({ status }) => status === 'QUEUED');
			expect(ids(queued)).toEqual(failed);
			expect(changesOf(service)).toHaveLength(3);
			expect(executed).not.toContain('Not Retried');
		},
	},
	/** Every flow of every project is a file, which Import accepts. */
	'flow-backup': {
		prepare: (workflow, { folder }) => saveTo(workflow, folder),
		verify(_outcome, { folder, service: { data } }) {
			expect(readdirSync(folder).sort()).toEqual(data.flows.map(({ id }) => `${id}.json`).sort());
			for (const { id, projectId, version } of data.flows) {
				const text = readFileSync(join(folder, `${id}.json`), 'utf8');
				expect(JSON.parse(text)).toMatchObject({
					name: version.displayName,
					projectId,
					flow: { displayName: version.displayName, trigger: { name: 'trigger' } },
				});
				// One line for each value, for comparisons with git.
				expect(text.split('\n').length).toBeGreaterThan(10);
			}
		},
	},
	/** Every flow of every project is a line of the file. */
	'flow-inventory': {
		prepare: (workflow, { folder }) => saveTo(workflow, folder),
		verify({ records }, { folder, service: { data, origin } }) {
			expect(ids(records('Columns')).sort()).toEqual(ids(data.flows).sort());
			const [file] = readdirSync(folder).filter((name) => name.endsWith('.csv'));
			expect(file).toMatch(/^activepieces-flows-\d{4}-\d\d-\d\d\.csv$/);
			const [header, ...lines] = readFileSync(join(folder, file), 'utf8').trim().split(/\r?\n/);
			expect(header).toMatch(
				/id.*name.*status.*published.*unpublishedChanges.*pieces.*project.*url.*updated/,
			);
			expect(lines).toHaveLength(data.flows.length);
			for (const { id, projectId, version } of data.flows) {
				const line = lines.find((each) => each.includes(id));
				expect(line).toContain(version.displayName);
				expect(line).toContain(`${origin}/projects/${projectId}/flows/${id}`);
			}
		},
	},
	/** Each row is returned with the response to its call. */
	'run-flow-for-each-row': {
		prepare: (workflow, { service }) => addFlow(workflow, service, { body: INPUT }),
		verify({ records, executed }, { service }) {
			const rows = [
				{ order: 1001, customer: 'Ada' },
				{ order: 1002, customer: 'Max' },
				{ order: 1003, customer: 'Lin' },
			];
			const answered = rows.map((row) => ({ row, response: { body: row } }));
			expect(records('Row with Response')).toEqual(answered);
			expect(executed).not.toContain('Row without Response');
			expect(service.webhooks.runs).toHaveLength(rows.length);
		},
	},
	/** Rows that the flow refuses are listed with its response. */
	'run-flow-for-each-row-refused': {
		of: 'run-flow-for-each-row',
		prepare(workflow, { service }) {
			addFlow(workflow, service, { status: 422, body: { problem: 'unknown order' } });
		},
		verify({ records, executed }) {
			const refused = records('Row without Response');
			const orders = refused.map(({ row }) => (row as { order: number }).order);
			expect(orders).toEqual([1001, 1002, 1003]);
			for (const { result, whatToDo } of refused) {
				expect(result).toMatch(/^Flow "Check order" \(\w+\) responded with HTTP 422$/);
				expect(whatToDo).toContain('unknown order');
			}
			expect(executed).not.toContain('Row with Response');
		},
	},
	/** The project has the connection, the published flows and the invitation, each once, also after a second run. */
	'set-up-customer': {
		isForEnterprise: true,
		prepare: (workflow, context) => prepareCustomer(workflow, context),
		verify({ records }, { service }) {
			service.settleFlowChanges();
			const { projects, flows, connections, invitations } = customerIn(service.data);
			expect(projects).toMatchObject([{ displayName: CUSTOMER.customer, type: 'TEAM' }]);
			expect(connections).toMatchObject([
				{ externalId: 'telegram-bot', pieceName: '@activepieces/piece-telegram-bot' },
			]);
			expect(flows.map(({ version }) => version.displayName).sort()).toEqual(['Report', 'Welcome']);
			for (const { status, version, publishedVersionId } of flows) {
				expect([status, publishedVersionId]).toEqual(['ENABLED', version.id]);
				expect(version.connectionIds).toEqual(['telegram-bot']);
			}
			expect(invitations).toMatchObject([{ email: CUSTOMER.email, type: 'PROJECT' }]);
			const imported = records('Import Flow');
			expect(imported).not.toEqual([]);
			for (const each of imported) expect(each.missingConnections).toEqual([]);
			const secret = secretOf(CUSTOMER.customerId);
			const stored = changesOf(service).find(({ path }) => path === '/v1/app-connections');
			expect(JSON.stringify(stored?.body)).toContain(secret);
			expect(JSON.stringify(records('Create or Update Connection'))).not.toContain(secret);
		},
		verifyAgain(_outcome, { service }, before) {
			service.settleFlowChanges();
			const { connections: now, ...others } = customerIn(service.data);
			const { connections: then, ...othersThen } = customerIn(before);
			expect(ids(now)).toEqual(ids(then));
			expect(others).toEqual(othersThen);
			// The same secret is stored again.
			expect(changesOf(service).map(({ path }) => path)).toEqual(['/v1/app-connections']);
		},
	},
	/** Flows that need another connection are listed and not published; the customer is invited once. */
	'set-up-customer-without-connection': {
		of: 'set-up-customer',
		isForEnterprise: true,
		prepare(workflow, context) {
			prepareCustomer(workflow, context, { connection: 'only-in-the-first' });
		},
		verify({ records, executed }, { service }) {
			const { flows, invitations } = customerIn(service.data);
			expect(flows.map(({ status }) => status)).toEqual(['DISABLED', 'DISABLED']);
			const missing = records('Connections Missing');
			expect(missing.map(({ flow }) => flow).sort()).toEqual(['Report', 'Welcome']);
			for (const each of missing) {
				expect(String(each.missingConnections)).toContain('only-in-the-first');
			}
			expect(executed).not.toContain('Publish Flow');
			expect(invitations).toMatchObject([{ email: CUSTOMER.email }]);
		},
	},
	/** A customer to whom somebody has given another role keeps it and is listed, and the flows go on. */
	'set-up-customer-with-another-role': {
		of: 'set-up-customer',
		isForEnterprise: true,
		prepare(workflow, context) {
			const { live } = context.service;
			prepareCustomer(workflow, context);
			const { id } = addCustomer(context.service, CUSTOMER.customer);
			live.addMember(live.addUser({ email: CUSTOMER.email }).id, id, 'Admin');
		},
		verify({ records }, { service }) {
			service.settleFlowChanges();
			expect(records('Not Invited')).toEqual([
				{
					email: CUSTOMER.email,
					reason: expect.stringMatching(
						/in the project with the role "Admin"\. To change the role /,
					),
				},
			]);
			const { flows, invitations } = customerIn(service.data);
			expect(invitations).toEqual([]);
			expect(flows.map(({ status }) => status)).toEqual(['ENABLED', 'ENABLED']);
		},
	},
	/** If the ID is that of another customer, nothing of theirs is read or changed. */
	'set-up-customer-with-another-id': {
		of: 'set-up-customer',
		isForEnterprise: true,
		prepare(workflow, context) {
			prepareCustomer(workflow, context);
			addCustomer(context.service, 'Max Ltd');
		},
		stopsWith: () =>
			'The project with the customerId customers/ada is "Max Ltd", not "Ada Ltd". For another customer, change customerId in Settings. If the customer was renamed, change customer to "Max Ltd", or rename the project.',
		verify({ executed }, { service }) {
			expect(changesOf(service)).toEqual([]);
			expect(executed).not.toContain('Read Secret');
		},
	},
	/** Of two flows with the same name, the second would replace the first, so none is imported. */
	'set-up-customer-with-equal-names': {
		of: 'set-up-customer',
		isForEnterprise: true,
		prepare: (workflow, context) =>
			prepareCustomer(workflow, context, { names: ['Report', 'Report'] }),
		stopsWith: ({ folder }) => notImported(folder, 'Report, Report'),
		verify(_outcome, { service }) {
			expect(customerIn(service.data).flows).toEqual([]);
		},
	},
	/** Without a file, the workflow invites the customer and stops: it must not look like a success. */
	'set-up-customer-without-files': {
		of: 'set-up-customer',
		isForEnterprise: true,
		prepare(workflow, context) {
			prepareCustomer(workflow, context, { names: [] });
			setValues(workflow, { folder: join(context.folder, 'missing') });
		},
		stopsWith: ({ folder }) => notImported(join(folder, 'missing'), 'no flow'),
		verify({ executed }, { service }) {
			const { flows, connections, invitations } = customerIn(service.data);
			expect(flows).toEqual([]);
			expect(connections).toMatchObject([{ externalId: 'telegram-bot' }]);
			expect(invitations).toMatchObject([{ email: CUSTOMER.email }]);
			expect(executed).not.toContain('Import Flow');
		},
		verifyAgain(_outcome, { service }, before) {
			expect(customerIn(service.data).invitations).toEqual(customerIn(before).invitations);
		},
	},
};
