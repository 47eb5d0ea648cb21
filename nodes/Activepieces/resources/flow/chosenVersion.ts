import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requestTarget } from '../../descriptions/locator';
import { getOption } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/item';
import { ActivepiecesError } from '../../transport/error';
import { requestRecord } from '../../transport/send';
import { capitalize } from '../../transport/text';
import { fetchPublishedVersion } from './fetchPublishedVersion';
import { flowLocator, GET_FLOW, labelOf, wasPublished } from './flow';

const VERSIONS = ['latest', 'published'] as const;

/** Shared by the operations that read one version of a flow. */
export const versionField: INodeProperties = {
	displayName: 'Version',
	name: 'version',
	type: 'options',
	options: [
		{
			name: 'Latest',
			value: 'latest',
			description: 'The version shown in the Activepieces editor',
		},
		{
			name: 'Published',
			value: 'published',
			description: 'The version that runs while the flow is enabled',
		},
	],
	default: 'latest',
	description: 'Which version of the flow to return',
};

/** A flow with the chosen version, and with its latest one. */
export interface ChosenVersion {
	flow: IDataObject;
	latest: IDataObject;
}

/**
 * Fetches the flow of an item with the version that the item asks for.
 *
 * @throws {ActivepiecesError} when the item asks for the published version and there is none
 */
export async function fetchChosenVersion(context: OperationContext): Promise<ChosenVersion> {
	const { client } = context;
	const version = getOption(context, 'Version', 'version', VERSIONS, 'latest');
	const target = requestTarget(context, flowLocator);
	const latest = await requestRecord(client, { ...GET_FLOW, ...target });
	if (version === 'latest') return { flow: latest, latest };
	if (wasPublished(latest)) {
		return { flow: await fetchPublishedVersion(client, target, latest), latest };
	}
	throw new ActivepiecesError({
		message: capitalize(`${labelOf(latest)} has never been published`),
		description: 'Set Version to Latest, or publish the flow.',
	});
}
