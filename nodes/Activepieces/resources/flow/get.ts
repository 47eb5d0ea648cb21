import type { IDataObject } from 'n8n-workflow';

import { locatorField } from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import { recordOperation } from '../recordOperation';
import { flowLocator, GET_FLOW, simplifyFlow } from './flow';
import { fetchChosenVersion, versionField } from './flowVersion';

/** With the changes that only the flow with its latest version shows. */
function simplifyWith(latest: IDataObject): Simplify {
	const { unpublishedChanges } = simplifyFlow(latest);
	return (flow, source) => ({ ...simplifyFlow(flow, source), unpublishedChanges });
}

export const get = recordOperation({
	name: 'Get',
	value: 'get',
	description: 'Get a flow with its latest or its published version',
	toolDescription:
		'Returns one Activepieces flow by its ID, with its latest or its published version',
	endpoint: GET_FLOW,
	simplify: simplifyFlow,
	properties: [locatorField(flowLocator), versionField],
	async prepare(context) {
		const { flow, latest } = await fetchChosenVersion(context);
		return { flow, simplify: simplifyWith(latest) };
	},
	record: async (_context, { flow }) => flow,
});
