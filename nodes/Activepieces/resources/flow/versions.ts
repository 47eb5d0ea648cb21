/** The versions of a flow: the one that an item asks for, and the list of all. */
import type { IDataObject } from 'n8n-workflow';

import { fetched, named, output, shownFor } from '../../descriptions/field';
import { choice, text } from '../../descriptions/kinds';
import { limit } from '../../descriptions/limit';
import type { Locator } from '../../descriptions/locator';
import { toFilledText, toIdText } from '../../descriptions/parameters';
import type { ApiClient } from '../../transport/api/client';
import type { Endpoint, RequestTarget } from '../../transport/client/request';
import { errorOf } from '../../transport/errors/error';
import { shortName } from '../../transport/texts';
import { orNull, recordOf, textOf } from '../../transport/values';
import { itemsOperation } from '../operation';
import { fetchFlow, flowLocator, GET_FLOW, labelOf, versionOf, wasPublished } from './flow';

/** Returns a flow with the version of an ID. */
const getVersion = (versionId: string): Endpoint => ({
	...GET_FLOW,
	rules: [
		{
			unknown: 'FlowVersion',
			message: ({ recordAtStart }) =>
				`${recordAtStart} has no version with the ID "${shortName(versionId)}"`,
			description:
				'Check Version ID. The version may be that of another flow. With Sign-In, Flow > Get Versions lists the versions of a flow.',
		},
	],
});

/**
 * Fetches a flow with one of its versions.
 *
 * @param latest the flow with its latest version
 * @throws {ActivepiecesError} when the server returns another version
 */
async function fetchVersion(
	client: ApiClient,
	target: RequestTarget,
	latest: IDataObject,
	{ versionId, name, endpoint }: { versionId: string; name: string; endpoint: Endpoint },
): Promise<IDataObject> {
	if (versionOf(latest).id === versionId) return latest;
	const flow = await client.requestRecord({ endpoint, ...target, query: { versionId } });
	// A server or proxy that ignores the query returns the draft.
	if (versionOf(flow).id === versionId) return flow;
	throw errorOf(
		`The server did not return the ${name} of ${labelOf(latest)}`,
		'It returned another version. Check the proxy in front of Activepieces: it may remove the query from requests, or return stored responses.',
	);
}

/** @param latest the flow with its latest version; it was published at some time */
export const fetchPublishedVersion = async (
	client: ApiClient,
	target: RequestTarget,
	latest: IDataObject,
) =>
	await fetchVersion(client, target, latest, {
		versionId: textOf(latest.publishedVersionId),
		name: 'published version',
		endpoint: GET_FLOW,
	});

const ID_ADVICE = 'Enter the ID of a version, or set Version to Latest or Published.';

/**
 * The flow that an item names, with the version that the item asks for, and with its latest one.
 *
 * @throws {ActivepiecesError} when there is no such version
 */
export const chosenVersionOf = (locator: Locator, description: string) => {
	const version = choice('Version', 'version', {
		options: [
			['By ID', 'id', 'The version with a given ID, for example an earlier one'],
			['Latest', 'latest', 'The version shown in the Activepieces editor'],
			['Published', 'published', 'The version that runs while the flow is enabled'],
		],
		default: 'latest',
		description,
	});
	// Not `required`: n8n would ask for it if Version is an expression, whatever that gives.
	const versionId = text(
		'Version ID',
		'versionId',
		{
			placeholder: 'e.g. Xk7wPq2mN9rT4vB8sL1cZ',
			description:
				'The ID of a version of the flow, from Get Versions, or from a flow run: flowVersionId, with Simplify off',
		},
		(label, given) => toIdText(label, toFilledText(label, given, ID_ADVICE)),
	);
	return fetched(
		{ target: named(locator), version, versionId: shownFor(version, 'id', versionId) },
		async ({ target, version: asIs, versionId: id }, { client }) => {
			const latest = await fetchFlow(client, target);
			if (id !== undefined) {
				const request = { versionId: id, name: 'requested version', endpoint: getVersion(id) };
				return { flow: await fetchVersion(client, target, latest, request), latest };
			}
			if (asIs === 'latest') return { flow: latest, latest };
			if (wasPublished(latest)) {
				return { flow: await fetchPublishedVersion(client, target, latest), latest };
			}
			throw errorOf(
				`${labelOf(latest)} has never been published`,
				'Set Version to Latest, or publish the flow.',
			);
		},
	);
};

/** One for all operations that return it, because the editor shows their fields once. */
export const chosenVersion = chosenVersionOf(flowLocator, 'Which version of the flow to return');

const LIST_VERSIONS: Endpoint = {
	method: 'GET',
	path: '/v1/flows/{id}/versions',
	rules: [
		{
			status: 'forbidden',
			says: /\bprincipal\b/,
			message: 'Activepieces does not list the versions of a flow for an API key',
			description:
				'Set Authentication to Sign-In. With an API key, Get and Export return a version by its ID, for example that of a flow run: flowVersionId, with Simplify off.',
		},
	],
};

/** @param flow with its latest version */
const simplifyVersion = (version: IDataObject, flow: IDataObject): IDataObject => ({
	name: version.displayName ?? null,
	...orNull(version, 'state'),
	latest: version.id === versionOf(flow).id,
	published: version.id === flow.publishedVersionId,
	...orNull(version, 'valid'),
	updatedBy: recordOf(version.updatedByUser).email ?? null,
	...orNull(version, 'created', 'updated', 'flowId', 'id'),
});

export const getVersions = itemsOperation({
	name: 'Get Versions',
	value: 'getVersions',
	action: 'Get flow versions',
	description: 'Get the versions of a flow, newest first. Requires Sign-In.',
	hint: 'Returns one item per version, newest first. To get its steps, use Get or Export with the ID of a version.',
	toolDescription:
		'Returns the versions of the Activepieces flow with the given ID, newest first, without their steps',
	endpoint: LIST_VERSIONS,
	fields: { flow: named(flowLocator), limit, outputBy: output },
	simplify: (version) => simplifyVersion(version, {}),
	async items({ flow: target, limit: wanted, outputBy }, { client, onMore }) {
		let flow: IDataObject = {};
		const { transform, finish, has } = outputBy((version) => simplifyVersion(version, flow));
		const request = { endpoint: LIST_VERSIONS, ...target };
		const versions = await client.fetchList(request, { limit: wanted, onMore });
		const needsFlow = has('latest') || has('published');
		if (needsFlow && versions.length > 0) flow = await fetchFlow(client, target);
		return finish(versions.map(transform));
	},
});
