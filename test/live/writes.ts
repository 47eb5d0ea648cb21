import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { projectOfToken } from '../../nodes/Activepieces/transport/credential/tokenProject';
import { byId } from '../engine/harness/byId';
import { flowFile, WEBHOOK_PIECE } from '../engine/harness/flowFile';
import { check, type LiveContext, runNode, runNodeToEnd } from './context';
import { expectContract } from './contract';
import type { DirectApi } from './directApi';
import { type Finding, Mismatch, notTried, type Outcome } from './report';

/** The names of what the command makes begin with it, so that what could not be deleted is found. */
export const PREFIX = 'n8n-live-';

/** A record that the command made, until it is gone. */
export class OwnRecord {
	id?: string;

	constructor(
		readonly resource: 'folder' | 'flow',
		private readonly api: DirectApi,
	) {}

	/** Deletes it, whatever the node can do; does nothing when it is gone */
	async remove(): Promise<void> {
		if (this.id !== undefined) await this.api.delete(this.resource, this.id);
		this.id = undefined;
	}
}

type Run = (operation: string, more?: INodeParameters) => Promise<IDataObject>;

const off = { value: false };
const ANSWER = { n8n: 'live' };
const MISSING = 'n8n-live-none';

/** A flow that does nothing but answer, and the same with a connection that is missing, which would not run. */
const answering = (more = {}) =>
	flowFile(`${PREFIX}imported`, {
		type: 'PIECE',
		settings: {
			...WEBHOOK_PIECE,
			actionName: 'return_response',
			input: {
				responseType: 'json',
				respond: 'stop',
				fields: { status: 200, headers: {}, body: ANSWER },
				...more,
			},
			propertySettings: {},
			errorHandlingOptions: { continueOnFailure: off, retryOnFailure: off },
		},
	});

/** @throws Mismatch when a record does not fit the contract or is another one */
function expectNamed({ resource }: OwnRecord, record: IDataObject, displayName: unknown): void {
	expectContract(resource === 'flow' ? 'Flow' : 'Folder', [record]);
	const named = resource === 'flow' ? (record.version as IDataObject) : record;
	if (named.displayName === displayName) return;
	throw new Mismatch('The record came back with another name');
}

async function importAndExport(own: OwnRecord, run: Run): Promise<string> {
	const file = answering({ given: `{{connections['${MISSING}']}}` });
	const imported = await run('import', { mode: 'replace', content: JSON.stringify(file) });
	expectNamed(own, imported, file.displayName);
	if (JSON.stringify(imported.missingConnections) !== JSON.stringify([MISSING])) {
		throw new Mismatch('The connection that is missing was not named');
	}
	const exported = await run('export');
	expectContract('FlowFile', [exported]);
	if (!JSON.stringify(exported).includes(MISSING)) throw new Mismatch('Its export lacks a step');
	return 'imported and exported again';
}

/** Publishes a flow that answers, and runs it. Without a worker, or without the piece, there is nothing to run. */
async function runAndRead(
	context: LiveContext,
	flow: INodeParameters,
	run: Run,
): Promise<string | Finding> {
	const { pieceName, pieceVersion } = WEBHOOK_PIECE;
	// A server that is not connected to the internet has those versions only that somebody uploaded.
	const version = (await context.api.pieceVersion(pieceName)) ?? pieceVersion;
	const content = JSON.stringify(answering()).replaceAll(pieceVersion, version);
	await run('import', { mode: 'replace', content });
	const published = await runNodeToEnd(context, { ...flow, operation: 'publish' });
	if (published.error) return notTried('the server could not publish a flow that answers');
	const call = { ...flow, operation: 'run', waitForResponse: true, input: '{}' };
	const { items, error } = await runNodeToEnd(context, call);
	if (error?.message.includes('returned no response within')) {
		return notTried('the call was accepted, and no worker ran the flow');
	}
	if (error !== undefined) throw error;
	if (JSON.stringify(items.map(({ json }) => json)) !== JSON.stringify([ANSWER])) {
		throw new Mismatch('The flow gave another answer');
	}
	return 'run, and its answer read';
}

/** A project to make something in: that of the token, else a team's, else any. */
async function anyProject(context: LiveContext): Promise<unknown> {
	const own = projectOfToken(await context.api.signIn());
	if (own !== undefined) return own;
	const list = { resource: 'project', operation: 'getAll', returnAll: true, simplify: false };
	const projects = await runNode(context, list);
	return (projects.find(({ type }) => type === 'TEAM') ?? projects[0])?.id;
}

/** Makes a folder or a flow, renames it, reads it, finds it in From List, tries what else it can, and deletes it. */
async function makeAndChange(context: LiveContext, own: OwnRecord): Promise<Outcome[]> {
	const { resource } = own;
	const isFlow = resource === 'flow';
	const first = { displayName: `${PREFIX}${randomUUID()}` };
	const second = { displayName: `${first.displayName}-renamed` };
	const here = () => ({ resource, [`${resource}Id`]: byId(own.id) });
	const run: Run = async (operation, more = {}) => {
		const [record] = await runNode(context, { ...here(), operation, simplify: false, ...more });
		return record;
	};

	const steps: Record<string, () => Promise<string | Finding>> = {
		Create: async () => {
			const made = await run('create', { projectId: byId(await anyProject(context)), ...first });
			own.id = String(made.id);
			expectNamed(own, made, first.displayName);
			return 'made';
		},
		Update: async () => {
			const renamed = await run('update', isFlow ? { updateFields: second } : second);
			expectNamed(own, renamed, second.displayName);
			return 'renamed';
		},
		'Get, what was renamed': async () => {
			expectNamed(own, await run('get'), second.displayName);
			return 'read with its new name';
		},
		'From List, what was renamed': async () => {
			const options = { ...context, filter: second.displayName };
			const search = isFlow ? 'searchFlows' : 'searchFolders';
			const { results } = await context.engine.search(search, options);
			if (results.some(({ value }) => value === own.id)) return 'found by its new name';
			throw new Mismatch(`The list does not have the ${resource}`);
		},
		...(isFlow && {
			Import: async () => await importAndExport(own, run),
			Run: async () => await runAndRead(context, here(), run),
		}),
		Delete: async () => {
			const { deleted } = await run('delete');
			if (deleted !== true) throw new Mismatch('The node did not say that it is deleted');
			// The server may still show a flow for a while, but takes no more requests to delete it.
			if (isFlow) own.id = undefined;
			return 'deleted';
		},
		'Get, what is gone': async () => {
			const { error } = await runNodeToEnd(context, { ...here(), operation: 'get' });
			if (error?.httpCode !== '404') throw new Mismatch(`The ${resource} is still there`);
			own.id = undefined;
			return 'answered with not found';
		},
	};
	const outcomes: Outcome[] = [];
	for (const [name, find] of Object.entries(steps)) {
		outcomes.push(await check(context, `${isFlow ? 'Flow' : 'Folder'} → ${name}`, find));
		// What was not made has no further steps.
		if (own.id === undefined) break;
	}
	return outcomes;
}

/** Tries what changes something on a folder or a flow of its own, and deletes what a step has left. */
export async function checkChanges(context: LiveContext, own: OwnRecord): Promise<Outcome[]> {
	const outcomes = await makeAndChange(context, own);
	if (own.id === undefined) return outcomes;
	const cleaned = await check(context, 'Cleaning up', async () => {
		await own.remove();
		return `the ${own.resource} is deleted`;
	});
	if (cleaned.result === 'wrong') {
		cleaned.details += `. Delete the ${own.resource} whose name begins with ${PREFIX} by hand.`;
	}
	return [...outcomes, cleaned];
}
