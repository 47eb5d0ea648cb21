import type { IDataObject } from 'n8n-workflow';

import { booleanField, choices, collectionField, optionsField } from '../../descriptions/fields';
import { locatorField, requestTarget } from '../../descriptions/locator';
import { getBoolean, getOption } from '../../descriptions/parameters';
import { requestRecord } from '../../transport/client/record';
import type { Endpoint } from '../../transport/client/request';
import { hasCode, hasStatus, isVersionMissing, when } from '../../transport/errors/rule';
import { shortName } from '../../transport/text';
import { textOf } from '../../transport/values';
import type { Operation } from '../operation';
import { refusal, unconfirmed } from '../refusals';
import { GET_RUN, simplifyRun } from './flowRun';
import { flowRunLocator } from './runLocators';
import { hasFailed, isUnfinished } from './runStatus';

/** On the latest version the response is a new run (recorded). */
const RETRY_RUN: Endpoint = {
	method: 'POST',
	path: '/v1/flow-runs/{id}/retry',
	mayReturnNewRecord: true,
	rules: [
		// The retry uses the latest version of the flow (recorded).
		when([isVersionMissing], ({ record }) => ({
			message: `The flow of ${record} is not published`,
			description: 'Publish the flow, or set Strategy to From Failed Step.',
		})),
		when(
			[hasStatus('gone'), hasCode('FLOW_RUN_RETRY_OUTSIDE_RETENTION')],
			({ Record }, { params }) => ({
				message: `${Record} is too old to retry`,
				description: `Activepieces keeps the data needed for a retry for ${shortName(textOf(params.failedJobRetentionDays)) || 'a few'} days. Run the flow again instead, for example with Flow > Run.`,
			}),
		),
	],
};

const strategyField = optionsField('Strategy', 'strategy', {
	options: choices(
		['From Failed Step', 'FROM_FAILED_STEP', 'Continues the same run at the step that failed'],
		[
			'On Latest Version',
			'ON_LATEST_VERSION',
			'Starts a new run of the published version with the same trigger data',
		],
	),
	default: 'FROM_FAILED_STEP',
	description: 'How to retry the run',
});

const anyStatusField = booleanField(
	'Retry Even If Not Failed',
	'anyStatus',
	'Whether to also retry runs that have not failed. Their steps run again.',
);

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
		`${why}Retrying it would run its steps again. To retry it anyway, turn on Retry Even If Not Failed under Options.`,
	);
}

/**
 * Whether a retry was carried out although its response was lost. Only *From Failed Step* can be
 * detected in the run itself, and only if the run had ended: its status or its finish time has changed
 * (recorded). On the latest version there is a new run, which does not refer to the old one (recorded).
 *
 * @returns undefined when the run does not show it
 */
function wasRetried(
	strategy: string,
	before: IDataObject = {},
	{ status, finishTime }: IDataObject,
): boolean | undefined {
	if (strategy !== 'FROM_FAILED_STEP' || isUnfinished(before.status)) return undefined;
	return status !== before.status || finishTime !== before.finishTime;
}

function outputOf(run: IDataObject, { id, status }: IDataObject): IDataObject {
	const { flowName, flowId, projectId } = simplifyRun(run);
	return { flowName, status: status ?? null, flowId, projectId, retriedRunId: run.id, id };
}

export const retry: Operation = {
	name: 'Retry',
	value: 'retry',
	description: 'Retry a failed flow run',
	hint: 'Does not wait for the run to end. The On Latest Version strategy starts a new run and returns its ID.',
	toolDescription:
		'Immediately retries the failed Activepieces flow run with the given ID and does not wait for it to end. Returns the id of the queued run, retriedRunId, status, flowName, flowId and projectId',
	endpoint: RETRY_RUN,
	properties: [
		locatorField(flowRunLocator),
		strategyField,
		collectionField('Options', 'options', 'Add option', [anyStatusField]),
	],
	async run(context) {
		const { client } = context;
		const strategy = getOption(context, strategyField);
		const anyStatus = getBoolean(context, anyStatusField, 'options');
		const target = requestTarget(context, flowRunLocator);
		const run = await requestRecord(client, { endpoint: GET_RUN, ...target });
		const { tried } = context;
		const before = tried.keepBefore({ strategy, run });
		if (tried.isInDoubt) {
			// An expression may give another run than in the earlier try.
			const earlier = before.run as IDataObject;
			const isSame = before.strategy === strategy && earlier.id === run.id;
			const isDone = isSame ? wasRetried(strategy, earlier, run) : undefined;
			if (isDone) return [outputOf(run, run)];
			// Another new run might do the same work again.
			if (isDone === undefined) {
				throw unconfirmed(
					`flow run "${textOf(earlier.id)}" was retried`,
					'the runs of the flow',
					'to retry it failed without a clear result',
				);
			}
		}
		if (!anyStatus) assertFailed(run);

		const { projectId } = run;
		const request = { endpoint: RETRY_RUN, ...target, body: { strategy, projectId } };
		return [outputOf(run, await requestRecord(client, request))];
	},
};
