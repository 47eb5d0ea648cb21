import type { INodeParameters } from 'n8n-workflow';

import type { N8nRelease } from '../e2e/support/install';
import { activepieces, CREDENTIAL_TYPE, rows, splitOut, type Step } from '../e2e/support/workflow';
import { byId } from '../engine/harness/byId';
import { enabledFlow } from '../operations/flow';
import type { Service } from '../service';

/** The credential of both candidates. */
export const CREDENTIAL = 'Bench';

/** Both candidates do the same in one workflow, after the nodes of `input`. */
export interface RealScenario {
	title: string;
	/** Delays of the service's responses in ms */
	delays: number[];
	input: Step[];
	/** Number of records that each candidate has to return */
	records: number;
	/** What the time is divided by */
	per: 'run' | 'item';
	node(round: number): Step[];
	other(round: number): Step[];
	/** Maximum ratio without delay */
	bound?: number;
}

const BOUNDS: Record<N8nRelease, number> = { '2.40.7': 0.6, '1.123.81': 0.7 };

/** The newest version of the node in each release. */
const HTTP_REQUEST_VERSION: Record<N8nRelease, number> = { '2.40.7': 4.5, '1.123.81': 4.3 };

const httpRequest = (release: N8nRelease, name: string, parameters: INodeParameters): Step => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: HTTP_REQUEST_VERSION[release],
	parameters: {
		method: 'GET',
		authentication: 'predefinedCredentialType',
		nodeCredentialType: CREDENTIAL_TYPE,
		options: {},
		...parameters,
	},
	credentials: { [CREDENTIAL_TYPE]: { id: CREDENTIAL, name: CREDENTIAL } },
});

/** A request for each of many input items. */
export function manyItems(
	release: N8nRelease,
	{ baseUrl, data: { folders } }: Service,
	quick: boolean,
): RealScenario {
	const items = quick ? 1000 : 3000;
	const ids = Array.from({ length: items }, (_, index) => ({
		id: folders[index % folders.length].id,
	}));
	const folderId = byId('={{ $json.id }}');
	const get = { resource: 'folder', operation: 'get', folderId, simplify: false };
	return {
		title: `Folder → Get, ${items} items`,
		delays: quick ? [0, 30] : [0, 10, 30],
		input: rows('Folders', ids),
		records: items,
		per: 'item',
		node: (round) => [activepieces(`Activepieces ${round}`, CREDENTIAL, get)],
		other: (round) => [
			httpRequest(release, `HTTP Request ${round}`, {
				url: `=${baseUrl}/v1/folders/{{ $json.id }}`,
			}),
		],
		bound: BOUNDS[release],
	};
}

/**
 * A call of a flow for each of many input items; neither candidate waits for its response. HTTP Request
 * sends all at once, the node ten.
 *
 * @param options.hasCredential whether HTTP Request has the credential as well. A webhook needs none,
 * but the node reads it for each item, because it may contain expressions, and reads the flow with it.
 */
export function manyCalls(
	release: N8nRelease,
	{ baseUrl, data, webhooks }: Service,
	{ quick, hasCredential }: { quick: boolean; hasCredential: boolean },
): RealScenario {
	const items = quick ? 500 : 2000;
	const id = enabledFlow(data)?.id;
	const orders = Array.from({ length: items }, (_, order) => ({ order, customer: 'Ada' }));
	const run = { resource: 'flow', operation: 'run', flowId: byId(id), input: '={{ $json }}' };
	// The work of a flow is not measured.
	webhooks.hasWorker = false;
	return {
		title: `Flow → Run without waiting, ${items} items, HTTP Request ${hasCredential ? 'with' : 'without'} the credential`,
		delays: [0],
		input: rows('Orders', orders),
		records: items,
		per: 'item',
		node: (round) => [activepieces(`Activepieces ${round}`, CREDENTIAL, run)],
		other: (round) => [
			httpRequest(release, `HTTP Request ${round}`, {
				method: 'POST',
				...(hasCredential ? {} : { authentication: 'none' }),
				url: `${baseUrl}/v1/webhooks/${id}`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ JSON.stringify($json) }}',
			}),
		],
		bound: hasCredential ? 1.3 : undefined,
	};
}

/** Follows `next` as n8n's documentation describes it for cursors. */
const PAGINATION: INodeParameters = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.next }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ !$response.body.next }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

/** A whole list, each candidate with its own page size: 1,000, and the service's default of 10. */
export function wholeList(release: N8nRelease, { baseUrl, data }: Service): RealScenario {
	const projectId = data.projects[0].id;
	const ofProject = { projectId: byId(projectId), returnAll: true, simplify: false };
	const list = { resource: 'flow', operation: 'getAll', ...ofProject };
	return {
		title: `Flow → Get Many, ${data.flows.length} flows`,
		delays: [0, 30],
		input: [],
		records: data.flows.length,
		per: 'run',
		node: (round) => [activepieces(`Activepieces ${round}`, CREDENTIAL, list)],
		other: (round) => [
			httpRequest(release, `HTTP Request ${round}`, {
				url: `${baseUrl}/v1/flows`,
				sendQuery: true,
				queryParameters: { parameters: [{ name: 'projectId', value: projectId }] },
				options: { pagination: { pagination: PAGINATION } },
			}),
			splitOut(`Split Out ${round}`, 'data'),
		],
	};
}
