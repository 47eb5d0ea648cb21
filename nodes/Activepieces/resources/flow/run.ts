import type { IDataObject } from 'n8n-workflow';

import { named, options } from '../../descriptions/field';
import { choice, field, flag, itemJson, rows, text, wholeNumber } from '../../descriptions/kinds';
import { jsonError, withoutFence, writeJson } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import { webhookHeaders, type Endpoint, type WebhookRequest } from '../../transport/client/request';
import { validationError } from '../../transport/errors/error';
import { isStatus, type ApiResponse } from '../../transport/http/response';
import { limits } from '../../transport/limits';
import { describeValue } from '../../transport/texts';
import { isRecord, textOf } from '../../transport/values';
import { waitForEnd, waitingOptions } from '../flowRun/end';
import { itemsOperation } from '../operation';
import { awaitCalledRun, newMark, sentAt, type MarkedCall } from './calledRun';
import { flowLocator } from './flow';
import {
	callResult,
	describeCalledRun,
	failedRunError,
	flowResponseError,
	isRefusedCall,
	noResponseError,
	recordsOfResponse,
} from './flowResponse';
import {
	assertKeepsHeaders,
	assertRuns,
	authenticated,
	droppedInputNote,
	fetchRunnableFlow,
	type RunnableFlow,
	type RunVersion,
} from './runnableFlow';

/** The webhook of a flow, which every flow has. It is public and receives nothing of the credential. */
const RUN_FLOW: Endpoint = { method: 'POST', path: '/v1/webhooks/{id}' };

const STILL_RUNNING =
	'The flow may still be running. Raise the option Timeout (Seconds), or turn off Wait for Response.';

const TOO_SLOW = 'The server did not accept the call in time. Raise the option Timeout (Seconds).';

/**
 * The input of the flow as JSON. An expression may give any value. Typed JSON is sent unchanged, because
 * it may contain numbers that JavaScript would round.
 */
function toInput(_label: string, value: unknown): string {
	if (value === undefined || value === null || value === '') {
		throw validationError(
			'Input is empty',
			'Enter JSON, for example {}. If you use an expression, it returns no value.',
		);
	}
	if (typeof value === 'string') {
		const json = withoutFence(value);
		const error = jsonError(json);
		if (error === undefined) return json;
		throw validationError(
			`Input must be JSON, not ${describeValue(value)}`,
			`${error} Change Input. To send text, use an expression such as {{ JSON.stringify($json.text) }}.`,
		);
	}
	const { json, unfit } = writeJson(value);
	if (json !== undefined && unfit === undefined) return json;
	throw validationError(
		unfit === undefined
			? 'Input cannot be converted to JSON'
			: `Input contains ${unfit}, which is not valid in JSON`,
		'Change the expression in Input.',
	);
}

const pairValue = text('Value', 'value', {});

const pair = {
	name: text('Name', 'name', {}),
	value: field(pairValue.properties[0], (displayName, value, reader) => {
		const asText = typeof value === 'boolean' ? String(value) : value;
		return pairValue.with({ displayName }).parse(asText, reader);
	}),
};

/** Rows that a person has left empty are no pairs; an expression for a name that is missing is an error. */
function toPairs(given: Array<{ name: string; value: string }>) {
	const filled = given.filter(({ name, value }) => name !== '' || value !== '');
	if (filled.every(({ name }) => name !== '')) {
		return filled.map(({ name, value }): [name: string, value: string] => [name, value]);
	}
	throw validationError(
		'Options has a header or a query parameter without a name',
		'Enter the name, or remove the row. If you use an expression, it returns no value.',
	);
}

const fields = {
	flow: named({
		...flowLocator,
		description: 'The flow to run. The list shows the flows of all projects.',
	}),
	input: itemJson(
		toInput,
		'Input',
		'input',
		'The JSON that the flow receives as the body of its trigger. Uses the input item by default. In a tool, pass a JSON object with the fields that the flow expects.',
		'JSON object with the fields that the flow expects',
		'{}',
	),
	isWaiting: flag(
		'Wait for Response',
		'waitForResponse',
		'Whether to wait for the response of the flow. If on, the flow must start with Catch Webhook and have a Return Response step.',
		// A model has to read what the flow returns.
		{ default: true },
	),
	options: options({
		headers: rows(
			'Headers',
			'headers',
			{
				row: 'Values',
				placeholder: 'Add header',
				description:
					'Headers to send with the input. Activepieces stores them in the run, where members of the project can read them.',
			},
			pair,
			(given) => webhookHeaders(toPairs(given), 'Headers'),
		),
		isFull: flag(
			'Include Headers and Status',
			'fullResponse',
			'Whether to return the status and headers of the response with its body. Has no effect without Wait for Response.',
		),
		query: rows(
			'Query Parameters',
			'query',
			{
				row: 'Values',
				placeholder: 'Add parameter',
				description: 'Query parameters to send with the input',
			},
			pair,
			toPairs,
		),
		timeoutMs: wholeNumber(
			'Timeout (Seconds)',
			'timeoutSeconds',
			{
				typeOptions: { minValue: 0, maxValue: limits.maxRunTimeoutSeconds },
				description:
					'How many seconds to wait for a response. With 0, the node waits longer than Activepieces does. Activepieces waits 30 seconds unless an admin changed this.',
			},
			// With 0 the node decides.
			(seconds) => (seconds === 0 ? undefined : seconds * 1000),
		),
		version: choice('Version', 'version', {
			options: [
				[
					'Latest (Test Run)',
					'draft',
					'The version shown in the Activepieces editor. Starts a test run.',
				],
				['Published', 'published', 'The version that runs while the flow is enabled'],
			],
			default: 'published',
			description: 'Which version of the flow to run',
		}),
		...waitingOptions,
		isAwaited: waitingOptions.isAwaited.with({
			description: `${waitingOptions.isAwaited.properties[0].description}. The flow must start with Catch Webhook, which keeps the header x-n8n-call by which the node finds the run. Has no effect with Wait for Response.`,
		}),
	}),
};

/** A flow does not respond to a call that does not wait, so the service has refused it. */
const isRefusedStart = ({ status, webhook }: ApiResponse): boolean =>
	webhook?.requestId !== undefined && isStatus(status, 'redirect', 'clientError');

/**
 * Calls a flow without waiting for it. The service responds with 200 and `{}` as soon as it has the call
 * (recorded).
 */
async function start(client: ApiClient, request: WebhookRequest, label: string) {
	const answer = await client.call(request);
	if (isStatus(answer.status, 'ok') && isRecord(answer.body)) return answer;
	const result = callResult(answer);
	if (result === 'notRun') throw noResponseError(label, result, answer);
	throw client.errorFor(request, answer);
}

/** A call with a mark, by which its run is found. */
function marked(request: WebhookRequest, { projectId }: RunnableFlow) {
	const { mark, headers } = newMark();
	const callOf = ({ date, webhook }: Awaited<ReturnType<ApiClient['call']>>): MarkedCall => ({
		...{ mark, projectId, flowId: textOf(request.id) },
		since: sentAt(date ?? Date.now(), webhook.elapsedMs),
	});
	return { callOf, request: { ...request, headers: { ...request.headers, ...headers } } };
}

async function wait(
	context: OperationContext,
	unmarked: WebhookRequest,
	flow: RunnableFlow,
	isFull: boolean,
): Promise<IDataObject[]> {
	const { client } = context;
	const { label, name, version } = flow;
	const { request, callOf } = marked(unmarked, flow);
	const serverTimeoutMs = await client.webhookTimeoutMs();
	const { defaultMs, extraMs } = limits.flowResponse;
	const minTimeoutMs = (serverTimeoutMs ?? defaultMs) + extraMs;
	const atOnce = client.nodeRun.batchSize ?? limits.maxWaitingCalls;
	const limitWaiting = client.nodeRun.limiter('waiting calls', atOnce);
	const answer = await limitWaiting(async () => await client.call({ ...request, minTimeoutMs }));
	if (isRefusedCall(answer)) throw client.errorFor(request, answer);
	const result = callResult(answer, serverTimeoutMs);
	if (result !== 'answered') {
		const what = result === 'notRun' ? 'inDoubt' : result;
		// Test runs are in no list.
		const run =
			what === 'inDoubt' || version === 'draft'
				? undefined
				: await describeCalledRun(client, callOf(answer), what === 'failed');
		if (run?.failure !== undefined) {
			throw failedRunError(name, run.failure, run.page, answer.status);
		}
		throw noResponseError(label, what, answer, serverTimeoutMs, run);
	}
	if (isStatus(answer.status, 'clientError', 'serverError')) throw flowResponseError(label, answer);
	return recordsOfResponse(answer, { isFull, context });
}

/** Checks that the run of a call is listed, and keeps the headers by which it is found. */
function assertFindable(version: RunVersion, headers: Record<string, string>): void {
	if (version === 'draft') {
		throw validationError(
			'The end of a test run cannot be awaited',
			'Activepieces does not list test runs. Set Version to Published, or turn off Wait for the End.',
		);
	}
	if (headers['ap-raw-payload'] === undefined) return;
	throw validationError(
		'The end of a run cannot be awaited with the header ap-raw-payload',
		'With it the run keeps no headers, by which the node finds it. Remove it under Headers, or turn off Wait for the End.',
	);
}

export const run = itemsOperation({
	name: 'Run',
	value: 'run',
	description: 'Run a flow with input data, and optionally wait for its response',
	hint: 'Without Wait for Response you get a confirmation only, or the run with the option Wait for the End',
	toolDescription:
		'Immediately runs the Activepieces flow with the given ID. Fill in Input with the JSON text of an object with the fields that the flow expects. If Wait for Response is on, returns the response of the flow. Otherwise nothing comes back from the flow, only accepted, flowId and requestId',
	endpoint: RUN_FLOW,
	// Workers start the flows in parallel, whatever the order of the calls.
	isParallel: true,
	fields,
	async items({ flow: target, input: json, isWaiting, options: given }, context) {
		const { client } = context;
		const { isFull, version, isAwaited, patience, ...others } = given;
		const isEndAwaited = isAwaited && !isWaiting;
		if (isEndAwaited) assertFindable(version, others.headers);
		const flow = await fetchRunnableFlow(client, target, version);
		assertRuns(flow, isWaiting);
		if (isEndAwaited) assertKeepsHeaders(flow);
		const headers = authenticated(flow, others.headers, json);
		const note = droppedInputNote(flow);
		if (note !== undefined) context.showHint(note);

		const { label } = flow;
		const path = `${RUN_FLOW.path}${version === 'draft' ? '/draft' : ''}${isWaiting ? '/sync' : ''}`;
		const subject = { ...target.subject, delayedBy: isWaiting ? STILL_RUNNING : TOO_SLOW };
		const isNotDone = isWaiting ? isRefusedCall : isRefusedStart;
		const endpoint = { ...RUN_FLOW, path, isNotDone };
		const sent = { json, ...others, headers, isFlowResponse: isWaiting };
		const request = { endpoint, id: target.id, subject, ...sent };
		const idempotency = { key: target.id, change: `${label} ran`, lookIn: 'the runs of the flow' };
		const change = async <T>(send: () => Promise<T>) =>
			await client.makeChange({ idempotency, send });
		if (isWaiting) return await change(async () => await wait(context, request, flow, isFull));
		if (!isEndAwaited) {
			const { webhook } = await change(async () => await start(client, request, label));
			return [{ accepted: true, flowId: textOf(target.id), requestId: webhook.requestId }];
		}
		const { request: markedRequest, callOf } = marked(request, flow);
		const called = client.ledger.remembered<MarkedCall>(`call of ${textOf(target.id)}`);
		called.value ??= callOf(await change(async () => await start(client, markedRequest, label)));
		const id = await awaitCalledRun(client, called.value, label, patience);
		return [await waitForEnd(client, id, patience)];
	},
});
