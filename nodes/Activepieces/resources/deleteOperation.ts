import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	type Locator,
	locatorField,
	type RequestTarget,
	requestTarget,
} from '../descriptions/locator';
import type { OperationContext } from '../execution/operationContext';
import type { ApiClient } from '../transport/client/client';
import type { Endpoint, ApiRequest } from '../transport/client/request';
import { deleteRecord } from '../transport/client/record';
import { ActivepiecesError } from '../transport/errors/error';
import type { OperationTexts } from './operation';

interface DeleteOperation extends OperationTexts {
	endpoint: Endpoint;
	/** Which record the item names */
	target: Locator | ((context: OperationContext) => RequestTarget);
	/** By default the field of the locator */
	properties?: INodeProperties[];
	/** Deletes the record; by default with one request */
	remove?: (
		client: ApiClient,
		request: ApiRequest,
		context: OperationContext,
	) => Promise<IDataObject[]>;
}

export const deleteOperation = ({ target, remove = deleteRecord, ...rest }: DeleteOperation) => ({
	name: 'Delete',
	value: 'delete',
	properties: typeof target === 'function' ? [] : [locatorField(target)],
	...rest,
	async run(context: OperationContext) {
		const { client } = context;
		const named = typeof target === 'function' ? target(context) : requestTarget(context, target);
		const request = { endpoint: rest.endpoint, ...named };
		return await remove(client, request, context).catch((error: unknown) => {
			// Not found before it was deleted: an earlier try, whose response was lost, deleted it. What the
			// response to a repeated delete shows, `expectDeleted` decides.
			const isGone = error instanceof ActivepiecesError && error.isRecordUnknown;
			if (!isGone || !client.ledger.mayHaveChangedRecord(request.id)) throw error;
			return [{ deleted: true }];
		});
	},
});
