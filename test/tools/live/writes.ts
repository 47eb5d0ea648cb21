import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { projectOfToken } from '../../../nodes/Activepieces/transport/credential/credential';
import { byId } from '../../engine/harness/byId';
import { flowFile, WEBHOOK_PIECE } from '../../engine/harness/flowFile';
import { check, runOf, type LiveContext } from './context';
import type { DirectApi } from './directApi';
import { expectContract, Mismatch, NotTried } from './report';

/**
 * The start of the names of everything that the command creates, so that it can be found if it was not
 * deleted.
 */
export const PREFIX = 'n8n-live-';

/** A record that the command created, until it is deleted. */
export interface OwnRecord {
	resource: 'folder' | 'flow';
	id?: string;
}

/** Deletes it, even if the node cannot; does nothing when it is deleted already. */
export async function remove(api: DirectApi, own: OwnRecord): Promise<void> {
	if (own.id !== undefined) await api.delete(own.resource, own.id);
	own.id = undefined;
}

const OFF = { value: false };
const ANSWER = { n8n: 'live' };
const RESPONSE = { status: 200, headers: {}, body: ANSWER };
const MISSING = 'n8n-live-none';

/** A flow that only responds, and the same with a missing connection, which would not run. */
const answering = (more = {}) =>
	flowFile(`${PREFIX}imported`, {
		type: 'PIECE',
		settings: {
			...WEBHOOK_PIECE,
			actionName: 'return_response',
			input: { responseType: 'json', respond: 'stop', fields: RESPONSE, ...more },
			propertySettings: {},
			errorHandlingOptions: { continueOnFailure: OFF, retryOnFailure: OFF },
		},
	});

/** The project for new records: that of the token, else a team's, else any. */
async function anyProject(context: LiveContext): Promise<unknown> {
	const own = projectOfToken(await context.api.signIn());
	if (own !== undefined) return own;
	const list = { resource: 'project', operation: 'getAll', returnAll: true, simplify: false };
	const projects = await context.engine.records(runOf(context, list));
	return (projects.find(({ type }) => type === 'TEAM') ?? projects[0])?.id;
}

/** Creates a folder or a flow, renames and reads it, tries the other operations, and deletes it. */
async function makeAndChange(context: LiveContext, own: OwnRecord): Promise<void> {
	const { api, engine } = context;
	const { resource } = own;
	const isFlow = resource === 'flow';
	const title = isFlow ? 'Flow' : 'Folder';
	const first = { displayName: `${PREFIX}${randomUUID()}` };
	const second = { displayName: `${first.displayName}-2` };
	const options = (operation: string, more: INodeParameters = {}) => {
		const record = { resource, [`${resource}Id`]: byId(own.id), simplify: false };
		return runOf(context, { ...record, operation, ...more });
	};
	const run = async (operation: string, more?: INodeParameters) =>
		(await engine.records(options(operation, more)))[0];
	/** The same, with a record of this name in its output, as in the contract. */
	async function runNamed(operation: string, displayName: unknown, more?: INodeParameters) {
		const record = await run(operation, more);
		if (operation === 'create') own.id = String(record.id);
		expectContract(title, [record]);
		const named = isFlow ? (record.version as IDataObject) : record;
		if (named.displayName === displayName) return record;
		throw new Mismatch('The record was returned with another name');
	}

	async function importAndCompare(): Promise<string> {
		const file = answering({ given: `{{connections['${MISSING}']}}` });
		const content = JSON.stringify(file);
		const imported = await runNamed('import', file.displayName, { mode: 'replace', content });
		if (JSON.stringify(imported.missingConnections) !== JSON.stringify([MISSING])) {
			throw new Mismatch('The missing connection was not listed');
		}
		if (JSON.stringify(imported).includes('return_response')) return 'imported';
		throw new Mismatch('A step is missing');
	}

	/**
	 * Publishes a flow that responds, and runs it. Without a worker, or without the piece, there is nothing
	 * to run.
	 */
	async function runAndRead(): Promise<string> {
		const { pieceName, pieceVersion } = WEBHOOK_PIECE;
		// A server without access to the internet only has versions that somebody uploaded.
		const version = await api.pieceVersion(pieceName, pieceVersion);
		const content = JSON.stringify(answering()).replaceAll(pieceVersion, version);
		await run('import', { mode: 'replace', content });
		const published = await engine.run(options('publish'));
		if (published.error) throw new NotTried('the server could not publish a flow with a response');
		const answer = await run('run', { waitForResponse: true, input: '{}' }).catch(
			(error: Error) => {
				const isAlone = error.message.includes('returned no response within');
				throw isAlone ? new NotTried('the call was accepted, and no worker ran the flow') : error;
			},
		);
		if (JSON.stringify(answer) === JSON.stringify(ANSWER)) return 'run, and its response read';
		throw new Mismatch('The flow returned another response');
	}

	const steps: Record<string, () => Promise<string>> = {
		Create: async () => {
			const projectId = byId(await anyProject(context));
			await runNamed('create', first.displayName, { projectId, ...first });
			return 'created';
		},
		Update: async () => {
			await runNamed('update', second.displayName, isFlow ? { updateFields: second } : second);
			await runNamed('get', second.displayName);
			return 'renamed, and read with its new name';
		},
		...(isFlow && { Import: importAndCompare, Run: runAndRead }),
		Delete: async () => {
			const { deleted } = await run('delete');
			if (deleted !== true) throw new Mismatch('The node did not confirm the delete');
			// The server may still return a flow for a short time, but accepts no more requests to delete it.
			if (isFlow) own.id = undefined;
			return 'deleted';
		},
		'Get the deleted record': async () => {
			const { error } = await engine.run(options('get'));
			if (error?.httpCode !== '404') throw new Mismatch(`The ${resource} is still there`);
			own.id = undefined;
			return 'not found, as expected';
		},
	};
	for (const [name, find] of Object.entries(steps)) {
		await check(context, `${title} → ${name}`, find);
		// A record that was not created has no further steps.
		if (own.id === undefined) return;
	}
}

/** Tries changes with its own folder and flow, and deletes what is left. */
export async function checkChanges(context: LiveContext, own: OwnRecord): Promise<void> {
	await makeAndChange(context, own);
	if (own.id === undefined) return;
	const cleaned = await check(context, 'Cleaning up', async () => {
		await remove(context.api, own);
		return `the ${own.resource} is deleted`;
	});
	if (cleaned.result === 'wrong') {
		cleaned.details += `. Delete the ${own.resource} whose name begins with ${PREFIX} manually.`;
	}
}
