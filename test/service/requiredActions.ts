import { ApplicationError } from './errors';
import { stepsFrom } from './flowImport';
import type { FlowRecord, ServiceData } from './records';

type Pair = readonly [pieceName: string, actionName: string];

const byPiece = (pairs: Pair[]) =>
	Object.fromEntries(
		pairs.map(([piece]) => [
			piece,
			pairs.filter(([each]) => each === piece).map(([, action]) => action),
		]),
	);

/**
 * Refuses to publish a flow without the actions that its platform requires: one of them, or all. A skipped
 * step does not count. Also read in brain/knowledge/decisions/000043-publish-checks-required-actions-never-visibility.md.
 */
export function refuseWithoutActions(
	{ requiredActions: { mode, actions } }: ServiceData,
	{ version }: FlowRecord,
): void {
	const steps = stepsFrom(version.trigger).map(({ skip, settings }) => ({
		isSkipped: skip === true,
		...(settings as { pieceName?: string; actionName?: string }),
	}));
	const uses = ([piece, action]: Pair) =>
		steps.filter(({ pieceName, actionName }) => pieceName === piece && actionName === action);
	const required = Object.entries(actions).flatMap(([piece, names]) =>
		names.map((action): Pair => [piece, action]),
	);
	const lacking = required.filter((pair) => uses(pair).every(({ isSkipped }) => isSkipped));
	const most = mode === 'ALL' ? 0 : Math.max(required.length - 1, 0);
	if (lacking.length <= most) return;
	const [missing, skipped] = [
		lacking.filter((pair) => uses(pair).length === 0),
		lacking.filter((pair) => uses(pair).length > 0),
	];
	const which = mode === 'ALL' ? 'these actions' : 'one of these actions';
	const list = [...missing, ...skipped].map((pair) => pair.join(' · ')).join(', ');
	throw new ApplicationError(400, 'REQUIRED_ACTIONS_MISSING', {
		...{ message: `This flow needs ${which} to publish: ${list}`, mode },
		...{ requiredActions: actions, missingActions: byPiece(missing) },
		skippedActions: byPiece(skipped),
	});
}
