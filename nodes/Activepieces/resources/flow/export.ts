import { booleanField } from '../../descriptions/fields';
import { locatorField } from '../../descriptions/locator';
import { getBoolean } from '../../descriptions/parameters';
import { textOf } from '../../transport/values';
import type { Operation } from '../operation';
import { flowLocator, GET_FLOW } from './flow';
import { fileNameOf, flowFileOf } from './flowFile';
import { fetchChosenVersion, versionField } from './flowVersion';

const includeFile = booleanField(
	'Include File',
	'includeFile',
	'Whether to also return the flow as a JSON file, in the binary field data of the item',
);

export const exportOperation: Operation = {
	name: 'Export',
	value: 'export',
	description: 'Get a flow with all its steps so you can save it as a file or import it',
	hint: 'Leaves out the password or secret header that a webhook requires. References to connections are kept.',
	toolDescription:
		'Returns one Activepieces flow by its ID with all its steps, in the format that Import accepts: name, externalId, projectId, folderId, status and flow',
	endpoint: GET_FLOW,
	properties: [locatorField(flowLocator), versionField, includeFile],
	async run(context) {
		const hasFile = getBoolean(context, includeFile);
		const record = flowFileOf((await fetchChosenVersion(context)).flow);
		if (hasFile) {
			context.files.set(record, {
				content: Buffer.from(JSON.stringify(record), 'utf8'),
				mimeType: 'application/json',
				fileName: fileNameOf(textOf(record.name)),
			});
		}
		return [record];
	},
};
