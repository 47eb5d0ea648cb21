import type { IDataObject } from 'n8n-workflow';

import { getOutputMode, outputFields, type Simplify } from '../../descriptions/output';
import { outputRecord } from '../recordOperation';
import type { Operation } from '../operation';
import { flowField, GET_FLOW, simplifyFlow } from './flow';
import { fetchChosenVersion, versionField } from './flowVersion';

export const get: Operation = {
	name: 'Get',
	value: 'get',
	description: 'Get a flow with its latest or its published version',
	toolDescription:
		'Returns one Activepieces flow by its ID, with its latest or its published version',
	endpoint: GET_FLOW,
	simplify: simplifyFlow,
	properties: [flowField, versionField, ...outputFields],
	async run(context) {
		let unpublishedChanges: IDataObject['unpublishedChanges'] = null;
		// Taken from the flow with its latest version, which alone shows whether there are changes.
		const simplify: Simplify = (flow, source) => ({
			...simplifyFlow(flow, source),
			unpublishedChanges,
		});
		const output = getOutputMode(context, simplify);
		const { flow, latest } = await fetchChosenVersion(context);
		({ unpublishedChanges } = simplifyFlow(latest));
		return await outputRecord(context.client, output, flow);
	},
};
