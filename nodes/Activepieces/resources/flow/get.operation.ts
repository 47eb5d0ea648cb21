import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../../descriptions/outputMode';
import { requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getOption } from '../../descriptions/parameters';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { capitalised } from '../../transport/plainText';
import { requestRecord } from '../../transport/record';
import type { Operation } from '../operation';
import { outputRecord } from '../project/projectNames';
import { fetchPublishedVersion } from './fetchPublishedVersion';
import { labelOf, wasPublished } from './flowState';
import { flowField, flowLocator } from './locator';
import { GET_FLOW } from './requests';
import { simplifyFlow } from './simplify';

const VERSIONS = ['latest', 'published'] as const;

export const get: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get flow',
	description: 'Get a flow with its latest or its published version',
	toolDescription:
		'Returns one Activepieces flow by its ID, with its latest or its published version',
	endpoint: GET_FLOW,
	simplify: simplifyFlow,
	properties: [
		flowField,
		{
			displayName: 'Version',
			name: 'version',
			type: 'options',
			options: [
				{
					name: 'Latest',
					value: 'latest',
					description: 'The version that the editor of Activepieces shows',
				},
				{
					name: 'Published',
					value: 'published',
					description: 'The version that runs while the flow is enabled',
				},
			],
			default: 'latest',
			description: 'Which version of the flow to return',
		},
		...outputFields,
	],
	async run(context) {
		const { client } = context;
		let latest: IDataObject = {};
		// Of the flow with its latest version, which alone tells whether there are changes.
		const simplify: Simplify = (flow, source) => ({
			...simplifyFlow(flow, source),
			unpublishedChanges: simplifyFlow(latest).unpublishedChanges,
		});
		const output = getOutputMode(context, simplify);
		const version = getOption(context, 'Version', 'version', VERSIONS, 'latest');
		const target = requestTarget(context, flowLocator);
		latest = await requestRecord(client, { ...GET_FLOW, ...target });
		if (version === 'latest') return await outputRecord(client, output, latest);
		if (!wasPublished(latest)) {
			throw new ActivepiecesError({
				message: capitalised(`${labelOf(latest)} was never published`),
				description: 'Set Version to Latest, or publish the flow.',
			});
		}
		const published = await fetchPublishedVersion(client, target, latest);
		return await outputRecord(client, output, published);
	},
};
