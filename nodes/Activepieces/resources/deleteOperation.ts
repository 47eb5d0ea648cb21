import type { IDataObject } from 'n8n-workflow';

import { type Fields, propertiesOf, readFields, type Values } from '../descriptions/field';
import type { OperationContext } from '../execution/operationContext';
import type { ApiClient } from '../transport/client/client';
import type { Endpoint, ApiRequest } from '../transport/client/request';
import { deleteRecord } from '../transport/client/record';
import { ActivepiecesError } from '../transport/errors/error';
import type { OperationTexts } from './operation';
import { targetOf } from './recordOperation';

interface DeleteOperation<F extends Fields> extends OperationTexts {
	endpoint: Endpoint;
	/** The last one that names a record names that which is deleted */
	fields: F;
	/** Deletes the record; by default with one request */
	remove?: (
		client: ApiClient,
		request: ApiRequest,
		values: Values<F>,
		context: OperationContext,
	) => Promise<IDataObject[]>;
}

export const deleteOperation = <F extends Fields>({
	fields,
	remove = deleteRecord,
	...rest
}: DeleteOperation<F>) => ({
	name: 'Delete',
	value: 'delete',
	properties: propertiesOf(fields),
	...rest,
	async run(context: OperationContext) {
		const { client } = context;
		const values = await readFields(context, fields);
		const request = { endpoint: rest.endpoint, ...targetOf(values) };
		return await remove(client, request, values, context).catch((error: unknown) => {
			// Not found before it was deleted: an earlier try, whose response was lost, deleted it. What the
			// response to a repeated delete shows, `expectDeleted` decides.
			const isGone = error instanceof ActivepiecesError && error.isRecordUnknown;
			if (!isGone || !client.ledger.mayHaveChangedRecord(request.id)) throw error;
			return [{ deleted: true }];
		});
	},
});
