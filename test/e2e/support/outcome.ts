import type { INodeExecutionData, IRunData } from 'n8n-workflow';

/** The result of a workflow. */
export interface Outcome {
	/** The items of a node, over all its runs; none when it did not run */
	items(node: string, output?: number): INodeExecutionData[];
	/** Milliseconds of a node, over all its runs, measured by n8n */
	executionTime(node: string): number;
	/** Names of the nodes that ran */
	executed: string[];
}

/** Reads the run data of an execution. */
export function outcomeOf(runData: IRunData): Outcome {
	return {
		items: (node, output = 0) =>
			(runData[node] ?? []).flatMap(({ data }) => data?.main?.[output] ?? []),
		executionTime: (node) =>
			(runData[node] ?? []).reduce((sum, { executionTime }) => sum + executionTime, 0),
		executed: Object.keys(runData),
	};
}
