import type { IDataObject } from 'n8n-workflow';

import { named, options } from '../../descriptions/field';
import { choice, flag } from '../../descriptions/kinds';
import type { Endpoint } from '../../transport/client/request';
import { refusal } from '../../transport/errors/error';
import { shortName } from '../../transport/texts';
import { textOf } from '../../transport/values';
import { itemsOperation } from '../operation';
import { waitForEnd, waitingOptions } from './end';
import { fetchRun, flowRunLocator, hasFailed, isUnfinished, simplifyRun } from './flowRun';

/** On the latest version the response is a new run (recorded). */
const RETRY_RUN: Endpoint = {
	method: 'POST',
	path: '/v1/flow-runs/{id}/retry',
	mayReturnNewRecord: true,
	rules: [
		// The retry uses the latest version of the flow (recorded).
		{
			unknown: 'FlowVersion',
			message: ({ record }) => `The flow of ${record} is not published`,
			description: 'Publish the flow, or set Strategy to From Failed Step.',
		},
		{
			status: 'gone',
			code: 'FLOW_RUN_RETRY_OUTSIDE_RETENTION',
			message: ({ recordAtStart }) => `${recordAtStart} is too old to retry`,
			description: (_words, { response: { params } }) =>
				`Activepieces keeps the data needed for a retry for ${shortName(textOf(params.failedJobRetentionDays)) || 'a few'} days. Run the flow again instead, for example with Flow > Run.`,
		},
	],
};

const retryFields = {
	run: named(flowRunLocator),
	strategy: choice('Strategy', 'strategy', {
		options: [
			['From Failed Step', 'FROM_FAILED_STEP', 'Continues the same run at the step that failed'],
			[
				'On Latest Version',
				'ON_LATEST_VERSION',
				'Starts a new run of the published version with the same trigger data',
			],
		],
		default: 'FROM_FAILED_STEP',
		description: 'How to retry the run',
	}),
	options: options({
		anyStatus: flag(
			'Retry Even If Not Failed',
			'anyStatus',
			'Whether to also retry runs that have not failed. Their steps run again.',
		),
		...waitingOptions,
	}),
};

/**
 * The service does not check the status, and would rerun a run that succeeded or is in progress
 * (recorded).
 */
function assertFailed({ id, status }: IDataObject): void {
	if (hasFailed(status)) return;
	const retried = isUnfinished(status) ? 'It may have been retried already. ' : '';
	const why =
		status === 'PAUSED'
			? 'It waits, for example for an approval, and continues by itself. '
			: retried;
	throw refusal(
		`Flow run "${textOf(id)}" has not failed: its status is ${textOf(status) || 'unknown'}`,
		`${why}Retrying it would run its steps again. To retry it anyway, turn on the option Retry Even If Not Failed.`,
	);
}

/**
 * Whether a retry was carried out although its response was lost. Only *From Failed Step* can be
 * detected in the run itself, and only if the run had ended: its status or its finish time has changed
 * (recorded). On the latest version there is a new run, which does not refer to the old one (recorded).
 */
const wasRetried = (strategy: string, before: IDataObject, now: IDataObject): boolean =>
	strategy === 'FROM_FAILED_STEP' &&
	!isUnfinished(before.status) &&
	(now.status !== before.status || now.finishTime !== before.finishTime);

function retryOutputOf(run: IDataObject, { id, status }: IDataObject): IDataObject {
	const { flowName, flowId, projectId } = simplifyRun(run);
	return { flowName, status: status ?? null, flowId, projectId, retriedRunId: run.id, id };
}

export const retry = itemsOperation({
	name: 'Retry',
	value: 'retry',
	description: 'Retry a failed flow run',
	hint: 'To wait for the end of the run, use Options. On Latest Version starts a new run and returns its ID.',
	toolDescription:
		'Immediately retries the failed Activepieces flow run with the given ID. Unless it waits for the end of the run, returns the id of the queued run, retriedRunId, status, flowName, flowId and projectId',
	endpoint: RETRY_RUN,
	fields: retryFields,
	async items({ run: target, strategy, options: given }, { client }) {
		const run = await fetchRun(client, target);
		const { id, projectId } = run;
		const change = `flow run "${textOf(id)}" was retried`;
		const retried = client.ledger.remembered<IDataObject>(`retry of ${textOf(id)}`);
		retried.value ??= await client.makeChange({
			// A second retry would do the same work again.
			idempotency: { key: [id, strategy], before: run, change, lookIn: 'the runs of the flow' },
			async find(before: IDataObject) {
				const now = await fetchRun(client, target);
				return wasRetried(strategy, before, now) ? now : undefined;
			},
			async send() {
				if (!given.anyStatus) assertFailed(run);
				const request = { endpoint: RETRY_RUN, ...target, body: { strategy, projectId } };
				return await client.requestRecord(request);
			},
		});
		if (!given.isAwaited) return [retryOutputOf(run, retried.value)];
		const ended = await waitForEnd(client, retried.value.id, given.patience);
		return [{ ...ended, retriedRunId: run.id }];
	},
});
