/* eslint-disable @n8n/community-nodes/no-restricted-imports -- writes files that n8n reads, never inside n8n */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { flowFile } from '../../engine/harness/flowFile';
import type { Service } from '../../service';
import { changesOf, setValues, type Example, type ExampleContext } from './example';

const FILES = 30;

/** Writes the file of a flow with a webhook and a step of code, which may use a connection. */
function writeFlow(folder: string, index: number, name: string, connection?: string): void {
	const input = connection === undefined ? {} : { key: `{{connections['${connection}']}}` };
	const code = { code: 'export const code = async () => true;', packageJson: '{}' };
	const flow = flowFile(name, { type: 'CODE', settings: { sourceCode: code, input } });
	const file = { name, externalId: `flow-${index}`, status: 'ENABLED', flow };
	writeFileSync(join(folder, `flow-${index}.json`), JSON.stringify(file, null, 2));
}

function writeTable(folder: string): void {
	const table = {
		name: 'Shipments',
		externalId: 'shipments',
		fields: [{ name: 'Number', type: 'NUMBER', externalId: 'number' }],
	};
	writeFileSync(join(folder, 'shipments.table.json'), JSON.stringify(table, null, 2));
}

const OLD = 'chat-2025';
const NEW = 'chat-2026';

/** Adds three flows that use a connection: two are published and enabled, one never was. */
function addFlowsWith({ live }: Service, projectId: string, connection: string): void {
	for (const enabled of [true, true, false]) {
		const flow = live.addFlow({ projectId, enabled });
		const trigger = structuredClone(flow.version.trigger);
		delete trigger.nextAction;
		const { input } = trigger.settings as { input: Record<string, unknown> };
		input.auth = `{{connections['${connection}']}}`;
		Object.assign(flow.version, { trigger, connectionIds: [connection] });
	}
}

const projectOf = ({ data }: Service, index: number) => data.projects[index];

/** The flows that files have made, by their project. */
const deployedTo = ({ data }: Service, projectId: string) =>
	data.flows.filter((flow) => flow.projectId === projectId && flow.metadata !== null);

const counts = (summary: Array<Record<string, unknown>>) =>
	Object.fromEntries(summary.map((row) => [row.change, row.count_name]));

const messagesOf = (summary: Array<Record<string, unknown>>) =>
	summary.find(({ change }) => change === 'failed')?.appended_message;

const tablesOf = ({ data }: Service, projectId: string) =>
	data.tables.filter((table) => table.projectId === projectId);

/** The names of a project's tables, with those of their columns. */
const columnsOf = (service: Service, projectId: string) =>
	tablesOf(service, projectId)
		.map(({ id, name }) => {
			const fields = service.data.fields.filter(({ tableId }) => tableId === id);
			return [name, ...fields.map((field) => `${field.name}: ${field.type}`)];
		})
		.sort();

const writeAll = (folder: string) =>
	Array.from({ length: FILES }, (_, index) => writeFlow(folder, index, `Flow ${index}`));

const settingsOf = ({ folder, service }: ExampleContext) => ({
	folder,
	project: projectOf(service, 1).displayName,
});

export const deployment: Record<string, Example> = {
	/** All files become flows that run; then three of them change, and only those are changed. */
	'deploy-project': {
		prepare(workflow, context) {
			writeAll(context.folder);
			writeTable(context.folder);
			setValues(workflow, settingsOf(context));
		},
		verify({ records }, { folder, service }) {
			service.settleFlowChanges();
			expect(counts(records('Summary'))).toEqual({ created: FILES + 1 });
			const { id: projectId } = projectOf(service, 1);
			expect(columnsOf(service, projectId)).toContainEqual(['Shipments', 'Number: NUMBER']);
			const flows = deployedTo(service, projectId);
			expect(flows).toHaveLength(FILES);
			for (const { status, version, publishedVersionId } of flows) {
				expect([status, publishedVersionId]).toEqual(['ENABLED', version.id]);
			}
			for (const index of [2, 12, 22]) writeFlow(folder, index, `Flow ${index}, changed`);
		},
		verifyAgain({ records }, { service }) {
			service.settleFlowChanges();
			expect(counts(records('Summary'))).toEqual({ unchanged: FILES - 2, updated: 3 });
			const flows = deployedTo(service, projectOf(service, 1).id);
			expect(flows).toHaveLength(FILES);
			const changed = flows.filter(({ version }) => version.displayName.endsWith(', changed'));
			expect(changed).toHaveLength(3);
			for (const { status, version, publishedVersionId } of changed) {
				expect([status, publishedVersionId]).toEqual(['ENABLED', version.id]);
			}
		},
	},
	/** A flow that lacks a connection is a draft, and listed with its file and what is missing; the others go on. */
	'deploy-project-without-connection': {
		of: 'deploy-project',
		prepare(workflow, context) {
			writeAll(context.folder);
			writeFlow(context.folder, 7, 'Flow 7', 'only-in-the-first');
			setValues(workflow, settingsOf(context));
		},
		verify({ records }, { service }) {
			service.settleFlowChanges();
			expect(counts(records('Summary'))).toEqual({ created: FILES - 1, failed: 1 });
			const failed = /^flow-7\.json: .* because something is missing\. .*only-in-the-first/;
			expect(messagesOf(records('Summary'))).toEqual([expect.stringMatching(failed)]);
			const flows = deployedTo(service, projectOf(service, 1).id);
			expect(flows.filter(({ status }) => status === 'DISABLED')).toHaveLength(1);
		},
	},
	/** A mistyped or empty folder is told. */
	'deploy-project-without-files': {
		of: 'deploy-project',
		prepare(workflow, context) {
			const { folder } = context;
			setValues(workflow, { ...settingsOf(context), folder: `${folder}/mistyped` });
		},
		stopsWith: ({ folder }) =>
			`Nothing was deployed: no .json file was found in ${folder}/mistyped. Check folder in Settings. n8n 2 reads only folders in N8N_RESTRICT_FILE_ACCESS_TO.`,
		verify(_outcome, { service }) {
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** Each table and each flow of the project is a file. */
	'export-project': {
		prepare(workflow, { service, folder }) {
			setValues(workflow, { folder, project: projectOf(service, 0).displayName });
		},
		verify(_outcome, { folder, service }) {
			const { id: projectId } = projectOf(service, 0);
			const ofProject = service.data.flows.filter((flow) => flow.projectId === projectId);
			const files = [
				...tablesOf(service, projectId).map(({ id }) => `${id}.table.json`),
				...ofProject.map(({ id }) => `${id}.json`),
			];
			expect(files.length).toBeGreaterThan(10);
			expect(readdirSync(folder).sort()).toEqual(files.sort());
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** Without a project, nothing is read: it would be that of all. */
	'export-project-without-project': {
		of: 'export-project',
		prepare(workflow, { folder }) {
			setValues(workflow, { folder, project: '' });
		},
		stopsWith: () => 'The expression in Project returns no value',
		verify(_outcome, { folder }) {
			expect(readdirSync(folder)).toEqual([]);
		},
	},
	/** Flows that use a connection use the other one, and those that were published are published with it. */
	'replace-connection': {
		prepare(workflow, { service }) {
			const { id: projectId, displayName: project } = projectOf(service, 0);
			for (const externalId of [OLD, NEW]) service.live.addConnection({ projectId, externalId });
			addFlowsWith(service, projectId, OLD);
			setValues(workflow, { project, from: OLD, to: NEW });
		},
		verify({ records }, { service }) {
			service.settleFlowChanges();
			expect(counts(records('Summary'))).toEqual({ updated: 3 });
			const isUsed = (externalId: string) =>
				service.data.flows.filter((flow) =>
					JSON.stringify(flow.version.trigger).includes(`connections['${externalId}']`),
				);
			expect(isUsed(OLD)).toEqual([]);
			const published = isUsed(NEW).map((flow) => flow.publishedVersionId === flow.version.id);
			expect(published.sort()).toEqual([false, true, true]);
		},
		verifyAgain({ records }, { service }) {
			expect(records('Get Flows')).toEqual([]);
			expect(changesOf(service)).toEqual([]);
		},
	},
	/** The tables and flows of the first project are in the second one, the flows as drafts, once. */
	'copy-project': {
		prepare(workflow, { service }) {
			// The other project has tables of its own names.
			for (const table of tablesOf(service, projectOf(service, 0).id)) table.name += ' to copy';
			setValues(workflow, {
				from: projectOf(service, 0).displayName,
				to: projectOf(service, 1).displayName,
			});
		},
		verify({ records }, { service }) {
			const all = service.data.flows.filter(
				({ projectId }) => projectId === projectOf(service, 0).id,
			);
			const { id: from } = projectOf(service, 0);
			const { id: to } = projectOf(service, 1);
			const tables = tablesOf(service, from);
			expect(counts(records('Summary'))).toEqual({ created: all.length + tables.length });
			expect(columnsOf(service, to)).toEqual(expect.arrayContaining(columnsOf(service, from)));
			const copies = deployedTo(service, projectOf(service, 1).id);
			const namesOf = (flows: typeof all) => flows.map(({ version }) => version.displayName).sort();
			expect(namesOf(copies)).toEqual(namesOf(all));
		},
		verifyAgain({ records }, { service }, before) {
			expect(Object.keys(counts(records('Summary')))).toEqual(['unchanged']);
			expect(changesOf(service)).toEqual([]);
			expect(service.data.flows).toEqual(before.flows);
		},
	},
};
