import type { IDataObject } from 'n8n-workflow';

import { requestTarget } from '../../descriptions/locator';
import { getBoolean, getOption } from '../../descriptions/parameters';
import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import type { Endpoint } from '../../transport/endpoint';
import type { ApiRequest } from '../../transport/request';
import { requestRecord } from '../../transport/send';
import type { Operation } from '../operation';
import { getRun } from './getRun';
import { flowRunField, flowRunLocator } from './locator';
import { simplifyRun } from './simplify';
import { hasFailed } from './statuses';

const endpoint: Endpoint = { method: 'POST', path: '/v1/flow-runs/{id}/retry' };

const STRATEGIES = ['FROM_FAILED_STEP', 'ON_LATEST_VERSION'] as const;

/**
 * The service looks at no status and would run a run that succeeded, or one under way, once more (recorded).
 *
 * @throws {ActivepiecesError} for a run that has not failed
 */
function assertFailed({ id, status }: IDataObject): void {
	if (hasFailed(status)) return;
	throw new ActivepiecesError({
		message: `Flow run "${String(id)}" has not failed: its status is ${String(status)}`,
		description:
			'Retrying it would do its work again. To do so all the same, turn on Retry Any Status under Options. Nothing was changed.',
	});
}

export const retry: Operation = {
	name: 'Retry',
	value: 'retry',
	action: 'Retry flow run',
	description: 'Run a failed flow run again',
	hint: 'Does not wait for the run to end. On Latest Version makes a new run and gives its ID.',
	endpoint,
	properties: [
		flowRunField,
		{
			displayName: 'Strategy',
			name: 'strategy',
			type: 'options',
			options: [
				{
					name: 'From Failed Step',
					value: 'FROM_FAILED_STEP',
					description: 'Goes on with the same run at the step that failed',
				},
				{
					name: 'On Latest Version',
					value: 'ON_LATEST_VERSION',
					description: 'Starts a new run of the published version with the same trigger data',
				},
			],
			default: 'FROM_FAILED_STEP',
			description: 'Where the run begins again',
		},
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: [
				{
					displayName: 'Retry Any Status',
					name: 'anyStatus',
					type: 'boolean',
					default: false,
					description:
						'Whether to retry runs that have not failed as well. Their steps do their work again.',
				},
			],
		},
	],
	async run(context) {
		const { client } = context;
		const strategy = getOption(context, 'Strategy', 'strategy', STRATEGIES, 'FROM_FAILED_STEP');
		const anyStatus = getBoolean(context, 'Retry Any Status', 'options.anyStatus', false);
		const target = requestTarget(context, flowRunLocator);
		const failed = await getRun(client, target);
		if (!anyStatus) assertFailed(failed);

		const { projectId } = failed;
		const request: ApiRequest = { ...endpoint, ...target, body: { strategy, projectId } };
		const retried = await requestRecord(client, request);
		const { flowName, flowId } = simplifyRun(failed);
		return [
			{
				id: retried.id,
				retriedRunId: failed.id,
				status: retried.status ?? null,
				flowName,
				flowId,
				projectId,
			},
		];
	},
};
