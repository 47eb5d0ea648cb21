import type { IDataObject } from 'n8n-workflow';

import type { OutputMode } from '../descriptions/output';
import type { ApiClient } from '../transport/client';
import { fetchProjectNames, projectNameOf } from './project/projectNames';

/**
 * Gives one record as the item wants it, with the name of its project where that is a field of it. The name
 * is only beside the record, which may have been changed by now: it is null when it cannot be read.
 */
export async function outputRecord(
	client: ApiClient,
	output: OutputMode,
	record: IDataObject,
): Promise<IDataObject[]> {
	if (output.has('projectName') && projectNameOf(record, client) === null) {
		await fetchProjectNames(client).catch(() => undefined);
	}
	return output.finish([output.transform(record)]);
}
