import {
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import type { Endpoint } from '../transport/endpoint';
import { createLimiter, type Limiter } from '../transport/limiter';
import { MAYBE_DONE } from '../transport/messages';
import { createRunState, type RunState } from '../transport/run';
import { concurrencyOf, handleItem } from './executeItems';
import type { Concurrency, RunOperation } from './item';
import { toNodeError } from './nodeError';
import { reuseEarlierResults, triedItem } from './retryOnFail';
import { parseRequestOptions } from './settings';

/** State that the items of one router run share. */
interface RouterRun {
	runState: RunState;
	limitItems: Limiter;
	/** Items that have started and not ended */
	open: number;
	/** Index of the first item that failed while On Error is Stop; no later item starts */
	firstFailed: number;
}

/** Keyed by an object that n8n makes for each node run; removed when the last item ends. */
const runs = new WeakMap<object, RouterRun>();

function joinRun(context: IExecutePaginationFunctions, atOnce: number): RouterRun {
	const key = context.getExecuteData();
	let run = runs.get(key);
	if (run === undefined || run.open === 0) {
		run = {
			runState: createRunState({ cancelSignal: context.getExecutionCancelSignal() }),
			limitItems: createLimiter(atOnce),
			open: 0,
			firstFailed: Infinity,
		};
		runs.set(key, run);
	}
	run.open++;
	return run;
}

/** The item object that n8n keeps between tries. For a missing item n8n makes a new one each time. */
function keptItem(context: IExecutePaginationFunctions): INodeExecutionData {
	const input = context.getInputData();
	const isMadeUp = input !== context.getInputData();
	return isMadeUp ? context.getInputData(0, NodeConnectionTypes.AiTool) : input;
}

/**
 * Makes the pagination function of an operation, for the only case in which n8n runs the node through
 * its router: agents up to n8n 1.x call a node's `execute`, which is the router's. (A resource or an
 * operation cannot be an expression, because n8n takes the expression for text.) The router starts all
 * items at once, so they wait for each other here.
 */
export function routerPagination(
	endpoint: Endpoint,
	operation: RunOperation,
	concurrency?: Concurrency,
) {
	const act = reuseEarlierResults(endpoint, operation);
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const node = this.getNode();
		const itemIndex = this.getItemIndex();
		const ownConcurrency = concurrency?.((name, fallback) =>
			this.getNodeParameter(name, fallback, { rawExpressions: true }),
		);
		const run = joinRun(this, ownConcurrency ?? concurrencyOf(endpoint));
		try {
			return await run.limitItems(async () => {
				if (itemIndex > run.firstFailed)
					throw new NodeOperationError(node, 'The node stopped because an earlier item failed');
				const result = await handleItem(
					{
						itemIndex,
						input: this.getInputData() as INodeExecutionData,
						runState: run.runState,
						triedItem: triedItem(this, itemIndex, keptItem(this)),
						context: this,
						requestOptions: () => parseRequestOptions(this.getNodeParameter('requestOptions', {})),
						getParameter: (name, fallback, options) =>
							this.getNodeParameter(name, fallback, options),
						getTimezone: () => this.getTimezone(),
						// n8n shows no hints where its router runs.
						showHint: () => {},
						getCredential: async (name) => await this.getCredentials(name),
					},
					act,
				);
				if ('output' in result) return result.output;
				if ('ended' in result) {
					const { note, isAmbiguous } = result.ended;
					throw new NodeOperationError(node, 'The execution was cancelled', {
						description: note ?? (isAmbiguous ? MAYBE_DONE.trim() : undefined),
					});
				}
				run.firstFailed = Math.min(run.firstFailed, itemIndex);
				throw toNodeError(node, result.failed.error, result.failed.origin);
			});
		} finally {
			run.open--;
			if (run.open === 0) run.runState.end.stop();
		}
	};
}
