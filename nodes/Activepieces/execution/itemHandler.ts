import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import {
	type ApiClient,
	authenticatedSender,
	createClient,
	type DecryptedCredential,
	type RequestContext,
	secretsOfCredential,
} from '../transport/client';
import type { CredentialName } from '../transport/credential/names';
import { ActivepiecesError, RunEndedError } from '../transport/errors/activepiecesError';
import { MAYBE_DONE } from '../transport/errors/messages';
import type { RunState } from '../transport/run/runState';
import { sizeOf } from '../transport/values/sizeOf';
import { failedItem } from './failedItem';
import type { BinaryFile, OperationContext, RunOperation } from './operationContext';
import { readCredential } from './readCredential';
import type { RequestOptions } from './requestOptions';
import type { ErrorOrigin } from './toNodeError';

/** One input item, however n8n calls the node. */
export interface InputItem extends Omit<OperationContext, 'client' | 'attach'> {
	context: RequestContext &
		Pick<IAllExecuteFunctions, 'getNode'> &
		Pick<IExecuteFunctions, 'continueOnFail'>;
	itemIndex: number;
	/** The item as the node received it */
	input: INodeExecutionData;
	runState: RunState;
	/** n8n's Request Options; throws if they cannot be used */
	requestOptions(): RequestOptions;
	/** Reads and decrypts the credential, with expressions evaluated for the item */
	getCredential(name: CredentialName): Promise<ICredentialDataDecryptedObject>;
}

/** The outcome of an item. */
export type ItemResult =
	/** Its records; with On Error = Continue also the output of a failed item */
	| { output: INodeExecutionData[]; failed?: FailedItem }
	/** The run ended before the item was completed */
	| { ended: RunEndedError }
	/** The item failed, which ends the run */
	| { failed: FailedItem };

/** An item that failed. */
export interface FailedItem {
	error: unknown;
	/** What the error needs when it leaves the node */
	origin: ErrorOrigin & { itemIndex: number };
	/** Whether the item has changed something, or may have */
	mayHaveChanged: boolean;
}

/** Items of which an earlier try of the node has changed something, or may have */
const changedEarlier = new WeakSet<object>();

/** Counts the output of an item. The error for too much of it says that a change was made. */
const keepOutput =
	(run: RunState, client: ApiClient) =>
	(bytes: number): void => {
		try {
			run.keep(bytes);
		} catch (error) {
			const isChanged = error instanceof ActivepiecesError && client.mayHaveChanged;
			throw isChanged ? error.withDescription(error.description + MAYBE_DONE) : error;
		}
	};

/**
 * Runs an operation for one input item. It reads the credential first, so that no later error can show
 * what is in it. Every record is paired with the item, because n8n's own guess is wrong when several
 * input items return lists.
 */
export async function handleItem(item: InputItem, operation: RunOperation): Promise<ItemResult> {
	const { itemIndex, context } = item;
	let credential: DecryptedCredential | undefined;
	let client: ApiClient | undefined;
	try {
		const authentication = item.getParameter('authentication', 'apiKey');
		credential = await readCredential(authentication, item.getCredential);
		client = createClient(authenticatedSender(context, credential), {
			credential,
			runState: item.runState,
			place: 'node',
			settings: item.requestOptions().settings,
		});
		const { getParameter, json, getTimezone, triedItem, showHint } = item;
		client.mayHaveChanged = triedItem !== undefined && changedEarlier.has(triedItem);
		const keep = keepOutput(item.runState, client);
		const files = new Map<IDataObject, BinaryFile>();
		const attach: OperationContext['attach'] = (record, file) => {
			keep(file.content.length);
			files.set(record, file);
		};
		const records = await operation({
			client,
			getParameter,
			json,
			getTimezone,
			triedItem,
			showHint,
			attach,
		});
		// Lists count their records as they arrive.
		if (records.length === 1) keep(sizeOf(records[0]));
		const output = records.map((json): INodeExecutionData => ({
			json,
			pairedItem: { item: itemIndex },
		}));
		// Every context that runs items has these helpers.
		const helpers = context.helpers as IExecuteFunctions['helpers'];
		for (const item of output) {
			const file = files.get(item.json);
			if (file === undefined) continue;
			const { content, mimeType } = file;
			item.binary = {
				data: await helpers.prepareBinaryData(content, undefined, mimeType),
			};
		}
		return { output };
	} catch (error) {
		const mayHaveChanged = client?.mayHaveChanged === true;
		if (mayHaveChanged && item.triedItem !== undefined) changedEarlier.add(item.triedItem);
		if (error instanceof RunEndedError) return { ended: error };
		// Read here, because the credential may have signed in since the start.
		const origin = { itemIndex, secrets: secretsOfCredential(credential) };
		const failed = { error, origin, mayHaveChanged };
		if (!context.continueOnFail()) return { failed };
		return { output: [failedItem(context.getNode(), item.input, error, origin)], failed };
	}
}
