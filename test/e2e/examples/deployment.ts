/* eslint-disable @n8n/community-nodes/no-restricted-imports -- writes files that n8n reads, never inside n8n */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { flowFile } from '../../engine/harness/flowFile';
import type { Service } from '../../service';
import { changesOf, type Example, type ExampleContext, setValues } from './example';

const FILES = 30;

/** Writes the file of a flow with a webhook and a step of code, which may use a connection. */
function writeFlow(folder: string, index: number, name: string, connection?: string): void {
	const input = connection === undefined ? {} : { key: `{{connections['${connection}']}}` };
	const code = { code: 'export const code = async () => true;', packageJson: '{}' };
	const flow = flowFile(name, { type: 'CODE', settings: { sourceCode: code, input } });
	const file = { name, externalId: `flow-${index}`, status: 'ENABLED', flow };
	writeFileSync(join(folder, `flow-${index}.json`), JSON.stringify(file, null, 2));
}

const projectOf = ({ data }: Service, index: number) => data.projects[index];

/** The flows that files have made, by their project. */
const deployedTo = ({ data }: Service, projectId: string) =>
	data.flows.filter((flow) => flow.projectId === projectId && flow.metadata !== null);

const counts = (summary: Array<Record<string, unknown>>) =>
	Object.fromEntries(summary.map((row) => [row.change, row.count_flow]));

const writeAll = (folder: string) =>
	Array.from({ length: FILES }, (_, index) => writeFlow(folder, index, `Flow ${index}`));

const settingsOf = ({ folder, service }: ExampleContext) => ({
	folder,
	project: projectOf(service, 1).displayName,
});

export const deployment: Record<string, Example> = {
	/** All files become flows that run; then three of them change, and only those are changed. */
	'deploy-flows': {
		prepare(workflow, context) {
			writeAll(context.folder);
			setValues(workflow, settingsOf(context));
		},
		verify({ records, executed }, { folder, service }) {
			service.settleFlowChanges();
			expect(counts(records('Summary'))).toEqual({ created: FILES });
			const flows = deployedTo(service, projectOf(service, 1).id);
			expect(flows).toHaveLength(FILES);
			for (const { status, version, publishedVersionId } of flows) {
				expect([status, publishedVersionId]).toEqual(['ENABLED', version.id]);
			}
			expect(executed).not.toContain('Not Deployed');
			for (const index of [2, 12, 22]) writeFlow(folder, index, `Flow ${index}, changed`);
		},
		verifyAgain({ records }, { service }) {
			service.settleFlowChanges();
			expect(counts(records('Summary'))).toEqual({ unchanged: FILES - 3, updated: 3 });
			const flows = deployedTo(service, projectOf(service, 1).id);
			expect(flows).toHaveLength(FILES);
			const changed = flows.filter(({ version }) => version.displayName.endsWith(', changed'));
			expect(changed).toHaveLength(3);
			for (const { status, version, publishedVersionId } of changed) {
				expect([status, publishedVersionId]).toEqual(['ENABLED', version.id]);
			}
		},
	},
	/** A flow that lacks a connection is a draft, and listed with its file; the others go on. */
	'deploy-flows-without-connection': {
		of: 'deploy-flows',
		prepare(workflow, context) {
			writeAll(context.folder);
			writeFlow(context.folder, 7, 'Flow 7', 'only-in-the-first');
			setValues(workflow, settingsOf(context));
		},
		verify({ records }, { service }) {
			service.settleFlowChanges();
			expect(counts(records('Summary'))).toEqual({ created: FILES - 1 });
			const [{ file, reason }, ...others] = records('Not Deployed');
			expect(others).toEqual([]);
			expect(file).toBe('flow-7.json');
			expect(reason).toMatch(/was imported, but not published, because something is missing/);
			const flows = deployedTo(service, projectOf(service, 1).id);
			expect(flows.filter(({ status }) => status === 'DISABLED')).toHaveLength(1);
		},
	},
	/** The flows of the first project are drafts in the second one, once. */
	'copy-project': {
		prepare(workflow, { service }) {
			setValues(workflow, {
				from: projectOf(service, 0).displayName,
				to: projectOf(service, 1).displayName,
			});
		},
		verify({ records, executed }, { service }) {
			const all = service.data.flows.filter(
				({ projectId }) => projectId === projectOf(service, 0).id,
			);
			expect(counts(records('Summary'))).toEqual({ created: all.length });
			const copies = deployedTo(service, projectOf(service, 1).id);
			const namesOf = (flows: typeof all) => flows.map(({ version }) => version.displayName).sort();
			expect(namesOf(copies)).toEqual(namesOf(all));
			expect(executed).not.toContain('Not Copied');
		},
		verifyAgain({ records }, { service }, before) {
			expect(Object.keys(counts(records('Summary')))).toEqual(['unchanged']);
			expect(changesOf(service)).toEqual([]);
			expect(service.data.flows).toEqual(before.flows);
		},
	},
};
