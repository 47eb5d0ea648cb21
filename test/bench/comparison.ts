export interface Options {
	/** Fewer items and fewer rounds */
	quick: boolean;
	/** Number of measurements of each candidate in a scenario */
	rounds: number;
}

/** This node beside another candidate in one scenario. */
export interface Comparison {
	scenario: string;
	unit: 'ms' | 'ms per item' | 'MB';
	/** Times of this node, round by round */
	node: number[];
	/** Times of the other candidate in the same rounds */
	other: number[];
	/** Maximum ratio; of memory the maximum in MB */
	bound?: number;
}

/** The median; NaN without values. */
export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The median of the rounds' ratios: other work of the machine affects both candidates of a round. */
export const ratio = ({ node, other }: Comparison) =>
	median(node.map((value, round) => value / other[round]));

/** The ratio of the fastest rounds. */
export const bestRatio = ({ node, other }: Comparison) => Math.min(...node) / Math.min(...other);

export function isAboveBound(comparison: Comparison): boolean {
	const { bound = Infinity, unit, node } = comparison;
	return (unit === 'MB' ? median(node) : ratio(comparison)) > bound;
}
