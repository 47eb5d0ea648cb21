export interface Options {
	/** Fewer items and fewer rounds */
	quick: boolean;
	/** How often each candidate is measured in a scenario */
	rounds: number;
}

/** This node beside another candidate in one scenario. */
export interface Comparison {
	scenario: string;
	unit: 'ms' | 'ms per item' | 'MB';
	/** What this node took, round by round */
	node: number[];
	/** What the other candidate took in the same rounds */
	other: number[];
	/** The ratio that is not to be exceeded */
	bound?: number;
}

/** The value in the middle; NaN without values. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of the rounds' ratios: what else the machine does falls on both candidates of a round. */
export const ratio = ({ node, other }: Comparison) =>
	median(node.map((value, round) => value / other[round]));

/** The ratio of the fastest rounds. */
export const bestRatio = ({ node, other }: Comparison) => Math.min(...node) / Math.min(...other);

export const isAboveBound = (comparison: Comparison) =>
	comparison.bound !== undefined && ratio(comparison) > comparison.bound;
