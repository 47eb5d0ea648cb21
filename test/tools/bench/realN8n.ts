/* eslint-disable no-console -- runs n8n beside it, never inside it; tells how far it is */
import type { INodeParameters } from 'n8n-workflow';

import { credentialJson, execute, importInto, type Outcome } from '../../e2e/support/headless';
import { freshHome, prepareHomes, type Home } from '../../e2e/support/homes';
import { N8N_RELEASES, type N8nRelease } from '../../e2e/support/install';
import {
	activepieces,
	CREDENTIAL_TYPE,
	set,
	splitOut,
	step,
	trigger,
	workflow,
	type Step,
} from '../../e2e/support/workflow';
import { byId } from '../../engine/harness/byId';
import { enabledFlow } from '../../operations/flow';
import type { Service } from '../../service';
import type { Comparison, Options } from './report';
import { prepare, withService } from './scenario';

const WORKFLOW = 'bench';
/** Of both candidates. */
const CREDENTIAL = 'Bench';

/** The same work for the node and for HTTP Request. */
interface RealScenario {
	title: string;
	/** Delays of the service's responses in ms */
	delays: number[];
	/** Input items, each of which causes a request; without them a whole list is read */
	items?: object[];
	/** Number of records that each candidate has to return */
	records: number;
	node: INodeParameters;
	httpRequest: INodeParameters;
	/** Maximum ratio without delay */
	bound?: number;
}

const BOUNDS: Record<N8nRelease, number> = { '2.40.7': 0.6, '1.123.81': 0.7 };

/** The newest version of the node in each release. */
const HTTP_REQUEST_VERSION: Record<N8nRelease, number> = { '2.40.7': 4.5, '1.123.81': 4.3 };

/** Follows `next` as n8n's documentation describes it for cursors. */
const PAGINATION: INodeParameters = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'cursor', value: '={{ $response.body.next }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ !$response.body.next }}',
	limitPagesFetched: false,
	requestInterval: 0,
};

function scenariosOf(release: N8nRelease, service: Service, quick: boolean): RealScenario[] {
	const { baseUrl, data, worker } = service;
	const [{ id: projectId }] = data.projects;
	const flowId = enabledFlow(data)?.id;
	const ids = Array.from({ length: quick ? 1000 : 3000 }, (_, index) => ({
		id: data.folders[index % data.folders.length].id,
	}));
	const orders = Array.from({ length: quick ? 500 : 2000 }, (_, order) => ({
		order,
		customer: 'Ada',
	}));
	// The work of a flow is not measured.
	worker.state = 'stopped';
	/**
	 * Neither candidate waits for the flow's response. HTTP Request sends all calls at once, the node ten. A
	 * webhook needs no credential, but the node reads it for each item, because it may contain expressions,
	 * and reads the flow with it.
	 */
	const calls = (has: 'with' | 'without'): RealScenario => ({
		title: `Flow → Run without waiting, ${orders.length} items, HTTP Request ${has} the credential`,
		delays: [0],
		items: orders,
		records: orders.length,
		node: { resource: 'flow', operation: 'run', flowId: byId(flowId), input: '={{ $json }}' },
		httpRequest: {
			method: 'POST',
			...(has === 'without' && { authentication: 'none' }),
			url: `${baseUrl}/v1/webhooks/${flowId}`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify($json) }}',
		},
		bound: has === 'with' ? 1.3 : undefined,
	});
	const folderId = byId('={{ $json.id }}');
	const ofProject = { projectId: byId(projectId), returnAll: true, simplify: false };
	return [
		{
			title: `Folder → Get, ${ids.length} items`,
			delays: quick ? [0, 30] : [0, 10, 30],
			items: ids,
			records: ids.length,
			node: { resource: 'folder', operation: 'get', folderId, simplify: false },
			httpRequest: { url: `=${baseUrl}/v1/folders/{{ $json.id }}` },
			bound: BOUNDS[release],
		},
		{
			// Each candidate has its own page size: 1,000, and the service's default of 10.
			title: `Flow → Get Many, ${data.flows.length} flows`,
			delays: [0, 30],
			records: data.flows.length,
			node: { resource: 'flow', operation: 'getAll', ...ofProject },
			httpRequest: {
				url: `${baseUrl}/v1/flows`,
				sendQuery: true,
				queryParameters: { parameters: [{ name: 'projectId', value: projectId }] },
				options: { pagination: { pagination: PAGINATION } },
			},
		},
		calls('with'),
		calls('without'),
	];
}

/** The nodes of both candidates in a round. */
function candidatesIn(round: number, release: N8nRelease, scenario: RealScenario): Step[][] {
	const { items, node, httpRequest } = scenario;
	const own = activepieces(`Activepieces ${round}`, CREDENTIAL, node);
	const version = HTTP_REQUEST_VERSION[release];
	const request = step(`HTTP Request ${round}`, 'httpRequest', version, {
		method: 'GET',
		authentication: 'predefinedCredentialType',
		nodeCredentialType: CREDENTIAL_TYPE,
		options: {},
		...httpRequest,
	});
	const other = { ...request, credentials: own.credentials };
	return [[own], items ? [other] : [other, splitOut(`Split Out ${round}`, 'data')]];
}

/**
 * A workflow with all rounds. In every second round the other candidate is first. n8n runs them in this
 * order.
 */
function workflowOf({ items }: RealScenario, rounds: Step[][][]) {
	const input = items ? [set('List', { items }), splitOut('Items', 'items')] : [];
	const branches = rounds.flatMap((both, round) => (round % 2 === 0 ? both : [...both].reverse()));
	return workflow(WORKFLOW, [trigger(), ...input], branches);
}

/** The time of a candidate's nodes by n8n's own clock. */
function timeOf(outcome: Outcome, steps: Step[], { records, items }: RealScenario): number {
	const given = outcome.records(steps[steps.length - 1].name).length;
	if (given !== records) throw new Error(`${steps[0].name} gave ${given} records of ${records}`);
	const ms = steps.reduce((sum, { name }) => sum + outcome.executionTime(name), 0);
	return ms / (items?.length ?? 1);
}

async function measureScenario(
	home: Home,
	service: Service,
	scenario: RealScenario,
	rounds: number,
): Promise<Comparison[]> {
	const { release } = home.installation;
	console.log(`  n8n ${release}: ${scenario.title} …`);
	const steps = Array.from({ length: rounds }, (_, round) =>
		candidatesIn(round, release, scenario),
	);
	await importInto(home, [], [workflowOf(scenario, steps)]);
	const comparisons: Comparison[] = [];
	for (const delay of scenario.delays) {
		prepare(service, delay);
		const outcome = await execute(home, WORKFLOW);
		const times = (which: number) => steps.map((both) => timeOf(outcome, both[which], scenario));
		comparisons.push({
			scenario: `n8n ${release}: ${scenario.title}, ${delay} ms`,
			unit: scenario.items ? 'ms per item' : 'ms',
			node: times(0),
			other: times(1),
			bound: delay === 0 ? scenario.bound : undefined,
		});
	}
	return comparisons;
}

/** This node beside HTTP Request with the same credential, in real n8n. */
export async function measureRealN8n({ quick, rounds }: Options): Promise<Comparison[]> {
	await prepareHomes('bench');
	return await withService({ flows: 2000, foldersPerProject: 100 }, async (service) => {
		const comparisons: Comparison[] = [];
		for (const release of N8N_RELEASES) {
			const home = await freshHome(release);
			await importInto(home, [credentialJson(CREDENTIAL, service)]);
			for (const scenario of scenariosOf(release, service, quick)) {
				comparisons.push(...(await measureScenario(home, service, scenario, rounds)));
			}
		}
		return comparisons;
	});
}
