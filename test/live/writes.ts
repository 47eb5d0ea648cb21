import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { check, type LiveContext, runNode, runNodeToEnd, searchEntries } from './context';
import { compareWithContract } from './contract';
import { DirectApi } from './directApi';
import { type Finding, Mismatch, type Outcome } from './outcome';
import { FOLDER_PREFIX } from './ownNames';
import { checkRun } from './ownRun';

/** The folder that the command made, until it is gone. */
export interface OwnFolder {
	id?: string;
	/** Deletes it, whatever the node can do; does nothing when it is gone */
	remove(): Promise<void>;
}

/** The flow that the command made, until it is gone. */
export interface OwnFlow {
	id?: string;
	/** Deletes it, whatever the node can do; does nothing when it is gone */
	remove(): Promise<void>;
}

/** @throws Mismatch when a record does not fit the contract or is another one */
function expectNamed(schema: 'Flow' | 'Folder', record: IDataObject, displayName: string): void {
	const { wrong } = compareWithContract(schema, [record]);
	if (wrong.length > 0) {
		throw new Mismatch(`The record is not what the contract says: ${wrong.join('; ')}`);
	}
	const named = schema === 'Flow' ? (record.version as IDataObject) : record;
	if (named.displayName !== displayName) {
		throw new Mismatch('The record came back with another name');
	}
}

const worked = (details: string): Finding => ({ result: 'works', details });

/** Checks that follow each other. */
function makeSteps(context: LiveContext) {
	const outcomes: Outcome[] = [];
	/** @returns whether the step works */
	const step = async (name: string, find: () => Promise<Finding>) => {
		const outcome = await check(context, name, find);
		outcomes.push(outcome);
		return outcome.result === 'works';
	};
	return { outcomes, step };
}

/** Makes a folder, renames it, reads it, finds it in From List and deletes it. */
export async function checkFolderChanges(
	context: LiveContext,
	folder: OwnFolder,
	api: DirectApi,
): Promise<Outcome[]> {
	const firstName = `${FOLDER_PREFIX}${randomUUID()}`;
	const secondName = `${firstName}-renamed`;
	const { outcomes, step } = makeSteps(context);
	const isMade = await step('Folder → Create', async () => {
		const [made] = await runNode(context, {
			resource: 'folder',
			operation: 'create',
			projectId: byId(await api.anyProject()),
			displayName: firstName,
			simplify: false,
		});
		folder.id = String(made.id);
		expectNamed('Folder', made, firstName);
		return worked('made');
	});
	if (!isMade) return outcomes;
	const here = { resource: 'folder', folderId: byId(folder.id) };

	await step('Folder → Update', async () => {
		const [renamed] = await runNode(context, {
			...here,
			operation: 'update',
			displayName: secondName,
			simplify: false,
		});
		expectNamed('Folder', renamed, secondName);
		return worked('renamed');
	});
	await step('Folder → Get, what was renamed', async () => {
		const [read] = await runNode(context, { ...here, operation: 'get', simplify: false });
		expectNamed('Folder', read, secondName);
		return worked('read with its new name');
	});
	await step('Folder → From List, what was renamed', async () => {
		const { results } = await searchEntries(context, 'searchFolders', { filter: secondName });
		if (!results.some(({ value }) => value === folder.id)) {
			throw new Mismatch('The list does not have the folder');
		}
		return worked('found by its new name');
	});
	await step('Folder → Delete', async () => {
		await runNode(context, { ...here, operation: 'delete' });
		return worked('deleted');
	});
	await step('Folder → Get, what is gone', async () => {
		const { error } = await runNodeToEnd(context, { ...here, operation: 'get' });
		if (error?.httpCode !== '404') throw new Mismatch('The folder is still there');
		folder.id = undefined;
		return worked('answered with not found');
	});
	return outcomes;
}

/** A flow of two steps, of which one would not run: it is never published. */
const CONTENT = {
	displayName: `${FOLDER_PREFIX}imported`,
	trigger: {
		name: 'trigger',
		valid: true,
		displayName: 'Catch Webhook',
		type: 'PIECE_TRIGGER',
		settings: {
			pieceName: '@activepieces/piece-webhook',
			pieceVersion: '0.1.29',
			triggerName: 'catch_webhook',
			input: { authType: 'none', authFields: {} },
			propertySettings: {},
		},
		nextAction: {
			name: 'step_1',
			valid: true,
			skip: false,
			displayName: 'Code',
			type: 'CODE',
			settings: {
				input: { given: "{{connections['n8n-live-none']}}" },
				sourceCode: { code: 'export const code = async () => true;', packageJson: '{}' },
				errorHandlingOptions: {
					continueOnFailure: { value: false },
					retryOnFailure: { value: false },
				},
			},
		},
	},
	schemaVersion: '10',
	notes: [],
};

/** Makes a flow, renames it, imports a file into it, exports that, runs another one and deletes it. */
export async function checkFlowChanges(
	context: LiveContext,
	flow: OwnFlow,
	api: DirectApi,
): Promise<Outcome[]> {
	const firstName = `${FOLDER_PREFIX}${randomUUID()}`;
	const secondName = `${firstName}-renamed`;
	const { outcomes, step } = makeSteps(context);
	const isMade = await step('Flow → Create', async () => {
		const [made] = await runNode(context, {
			resource: 'flow',
			operation: 'create',
			projectId: byId(await api.anyProject()),
			displayName: firstName,
			simplify: false,
		});
		flow.id = String(made.id);
		expectNamed('Flow', made, firstName);
		return worked('made');
	});
	if (!isMade) return outcomes;
	const here = { resource: 'flow', flowId: byId(flow.id) };

	await step('Flow → Update', async () => {
		const updateFields = { displayName: secondName };
		const [renamed] = await runNode(context, {
			...here,
			operation: 'update',
			updateFields,
			simplify: false,
		});
		expectNamed('Flow', renamed, secondName);
		return worked('renamed');
	});
	await step('Flow → Import', async () => {
		const [imported] = await runNode(context, {
			...here,
			operation: 'import',
			mode: 'replace',
			content: JSON.stringify(CONTENT),
			simplify: false,
		});
		expectNamed('Flow', imported, CONTENT.displayName);
		if (JSON.stringify(imported.missingConnections) !== '["n8n-live-none"]') {
			throw new Mismatch('The connection that is missing was not named');
		}
		const exported = await runNode(context, { ...here, operation: 'export' });
		const { wrong } = compareWithContract('FlowFile', exported);
		if (wrong.length > 0) throw new Mismatch(`Its export is something else: ${wrong.join('; ')}`);
		if (!JSON.stringify(exported).includes(CONTENT.trigger.nextAction.settings.sourceCode.code)) {
			throw new Mismatch('Its export lacks a step');
		}
		return worked('imported and exported again');
	});
	await step('Flow → Run', async () => await checkRun(context, String(flow.id), api));
	await step('Flow → Delete', async () => {
		const [given] = await runNode(context, { ...here, operation: 'delete' });
		if (given.deleted !== true) throw new Mismatch('The node did not say that it is deleted');
		flow.id = undefined;
		return worked('deleted');
	});
	return outcomes;
}
