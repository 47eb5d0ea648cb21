import type { INodeExecutionData, IRunData } from 'n8n-workflow';

/** What a workflow gave. */
export interface Outcome {
	/** The items a node gave, over all its runs; none when it did not run */
	items(node: string, output?: number): INodeExecutionData[];
	/** Milliseconds that a node took, over all its runs, as n8n measures it */
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
