import type { IDataObject } from 'n8n-workflow';

import type { OutputMode } from '../descriptions/output';
import type { ApiClient } from '../transport/client';
import { fetchProjectNames, projectNameOf } from './project/names';

/**
 * Returns a record in the output that the item wants, with the name of its project if that is one of the
 * fields. The record may already be changed, so a name that cannot be read is null instead of an error.
 */
export async function outputRecord(
	client: ApiClient,
	output: OutputMode,
	record: IDataObject,
): Promise<IDataObject[]> {
	if (output.has('projectName') && projectNameOf(record, client) === null) {
		await fetchProjectNames(client).catch(() => undefined);
	}
	const records = [output.transform(record)];
	// An error would make an agent repeat the change.
	return client.ledger.mayHaveChanged ? records : output.finish(records);
}
