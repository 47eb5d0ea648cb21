import type { FailedStep } from './flowRunRecords';
import type { ReleaseTraits } from './releases';

/** What a throwing code step leaves in the run and in its log. */
export interface CodeFailure {
	failedStep: FailedStep;
	steps: Record<string, unknown>;
}

/** Recorded ones were cut off at 591 to 650 characters. */
const CUT = 623;

const STACK = '\n    at emit (node:internal/child_process:989:14)'.repeat(14);

/**
 * The error of a throwing code step, as a worker of the release writes it (recordings next-0.73,
 * next-0.79, next-0.85; samples of 0.86). The log has the whole text in every release.
 *
 * @param thrown for example `Error: Boom`
 */
export function codeFailure(
	thrown: string,
	{ wrappedErrors }: ReleaseTraits,
	name = 'step_1',
): CodeFailure {
	const errorMessage = wrappedErrors
		? JSON.stringify({ __apErrorVersion: 1, message: thrown, raw: `Error: ${thrown}${STACK}` })
		: `${thrown}${STACK}`;
	const isCut = wrappedErrors && errorMessage.length > CUT;
	return {
		failedStep: {
			name,
			displayName: 'Check the order',
			message: isCut ? `${errorMessage.slice(0, CUT - 1)}…` : errorMessage,
		},
		steps: {
			trigger: { type: 'PIECE_TRIGGER', status: 'SUCCEEDED', input: {}, output: {} },
			[name]: { type: 'CODE', status: 'FAILED', input: {}, duration: 1.9, errorMessage },
		},
	};
}
