import type { INodeExecutionData, IRunData } from 'n8n-workflow';

/** What a workflow gave. */
export interface Outcome {
	/** The items a node gave, over all its runs; none when it did not run */
	items(node: string, output?: number): INodeExecutionData[];
	/** Names of the nodes that ran */
	executed: string[];
}

/** Reads the run data of an execution. */
export function outcomeOf(runData: IRunData): Outcome {
	return {
		items: (node, output = 0) =>
			(runData[node] ?? []).flatMap(({ data }) => data?.main?.[output] ?? []),
		executed: Object.keys(runData),
	};
}
