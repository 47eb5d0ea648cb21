import type { IDataObject } from 'n8n-workflow';

import { booleanField, choices, optionsField } from '../../descriptions/fields';
import { type RequestTarget, requestTarget } from '../../descriptions/locator';
import { getOutputMode, outputFields, type Simplify } from '../../descriptions/output';
import { getBoolean, getOption } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/item';
import type { ApiClient } from '../../transport/client/client';
import { requestRecord } from '../../transport/client/send';
import { textOf } from '../../transport/values';
import { outputRecord } from '../builders';
import { errorOf } from '../refusals';
import type { Operation } from '../operation';
import {
	fetchFlow,
	flowField,
	flowLocator,
	GET_FLOW,
	isLatestPublished,
	labelOf,
	simplifyFlow,
	versionOf,
	wasPublished,
} from './flow';
import { fileNameOf, flowFileOf } from './flowFile';

/**
 * Fetches a flow with its published version.
 *
 * @param latest the flow with its latest version; it was published at some time
 * @throws {ActivepiecesError} when the server returns another version
 */
export async function fetchPublishedVersion(
	client: ApiClient,
	target: RequestTarget,
	latest: IDataObject,
): Promise<IDataObject> {
	if (isLatestPublished(latest)) return latest;
	const query = { versionId: textOf(latest.publishedVersionId) };
	const flow = await requestRecord(client, { endpoint: GET_FLOW, ...target, query });
	// A server or proxy that ignores the query returns the draft.
	if (versionOf(flow).id === query.versionId) return flow;
	throw errorOf(
		`The server did not return the published version of ${labelOf(latest)}`,
		'It returned another version. Check the proxy in front of Activepieces: it may remove the query from requests, or return stored responses.',
	);
}

const versionField = optionsField('Version', 'version', {
	options: choices(
		['Latest', 'latest', 'The version shown in the Activepieces editor'],
		['Published', 'published', 'The version that runs while the flow is enabled'],
	),
	default: 'latest',
	description: 'Which version of the flow to return',
});

/**
 * Fetches the flow of an item with the version that the item asks for, and with its latest one.
 *
 * @throws {ActivepiecesError} when the item asks for the published version and there is none
 */
async function fetchChosenVersion(context: OperationContext) {
	const { client } = context;
	const version = getOption(context, 'Version', 'version', ['latest', 'published'], 'latest');
	const target = requestTarget(context, flowLocator);
	const latest = await fetchFlow(client, target);
	if (version === 'latest') return { flow: latest, latest };
	if (wasPublished(latest)) {
		return { flow: await fetchPublishedVersion(client, target, latest), latest };
	}
	throw errorOf(
		`${labelOf(latest)} has never been published`,
		'Set Version to Latest, or publish the flow.',
	);
}

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

export const exportOperation: Operation = {
	name: 'Export',
	value: 'export',
	description: 'Get a flow with all its steps so you can save it as a file or import it',
	hint: 'Leaves out the password or secret header that a webhook requires. References to connections are kept.',
	toolDescription:
		'Returns one Activepieces flow by its ID with all its steps, in the format that Import accepts: name, externalId, projectId, folderId, status and flow',
	endpoint: GET_FLOW,
	properties: [
		flowField,
		versionField,
		booleanField(
			'Include File',
			'includeFile',
			'Whether to also return the flow as a JSON file, in the binary field data of the item',
		),
	],
	async run(context) {
		const hasFile = getBoolean(context, 'Include File', 'includeFile', false);
		const record = flowFileOf((await fetchChosenVersion(context)).flow);
		if (hasFile) {
			context.attach(record, {
				content: Buffer.from(JSON.stringify(record), 'utf8'),
				mimeType: 'application/json',
				fileName: fileNameOf(textOf(record.name)),
			});
		}
		return [record];
	},
};
