import type { FlowVersionRecord } from './records';
import type { ReleaseTraits } from './releases';

type Step = Record<string, unknown>;

export interface ImportRequest {
	displayName: string;
	trigger: Step;
	schemaVersion?: string | null;
	notes?: unknown[] | null;
}

const isObject = (value: unknown): value is Step =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const without = (step: Step, field: string): Step =>
	Object.fromEntries(Object.entries(step).filter(([name]) => name !== field));

/**
 * Sorts the keys of an object as PostgreSQL's jsonb does: shorter ones first (every response of the
 * recordings).
 */
function asJsonb(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(asJsonb);
	if (!isObject(value)) return value;
	const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
	return Object.fromEntries(keys.map((key) => [key, asJsonb(value[key])]));
}

/** From schemaVersion 21 on, a reference to a step names its output (har/enterprise-0.85, b/91). */
function nestOutputs(value: unknown): unknown {
	if (typeof value === 'string') {
		return value.replace(/\{\{(trigger|step_\d{1,4})\b(?!\['output'\])/g, "{{$1['output']");
	}
	if (Array.isArray(value)) return value.map(nestOutputs);
	if (!isObject(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, nestOutputs(each)]));
}

/** A file without a schemaVersion counts as one of the first (har/enterprise-*, b/62 and b/63). */
function markAsManual(settings: Step): Step {
	const names = Object.keys(isObject(settings.input) ? settings.input : {});
	const properties = names.map((name) => [name, { type: 'MANUAL' }]);
	return { ...settings, propertySettings: Object.fromEntries(properties) as Step };
}

/** A step as it is stored, without the steps that follow it. */
function storedSettings(step: Step, request: ImportRequest, traits: ReleaseTraits): unknown {
	if (!isObject(step.settings)) return step.settings;
	const { schemaVersion } = request;
	const isOld = schemaVersion === undefined || (schemaVersion === null && !traits.oldAuthorization);
	const given = without(step.settings, 'sampleData');
	let settings: Step = isOld && isObject(given.propertySettings) ? markAsManual(given) : given;
	if (typeof settings.pieceVersion === 'string' && traits.rangesOfPieces) {
		// A range stays unchanged (read in the service's source).
		const pieceVersion = settings.pieceVersion.replace(/^0/, '~0').replace(/^[1-9]/, '^$&');
		settings = { ...settings, pieceVersion };
	}
	const hasNestedOutputs = Number(traits.schemaVersion) >= 21 && Number(schemaVersion ?? 0) < 21;
	if (hasNestedOutputs) settings = { ...settings, input: nestOutputs(settings.input) };
	// The trigger of a piece has none from 0.79 on.
	const hasSamples = step.type !== 'PIECE_TRIGGER' || traits.oldAuthorization;
	// An action without a schemaVersion at 0.73 (har/enterprise-0.73, b/62).
	if (isOld && traits.oldAuthorization && step.type !== 'PIECE_TRIGGER') {
		settings = { ...settings, sampleDataSettings: {} };
	}
	return hasSamples ? { ...settings, sampleData: {} } : settings;
}

function storedStep(step: Step, request: ImportRequest, traits: ReleaseTraits, at: string): Step {
	const given = without(step, 'lastUpdatedDate');
	const follow = (next: unknown) => (isObject(next) ? storedStep(next, request, traits, at) : next);
	return {
		...given,
		...('settings' in step ? { settings: storedSettings(step, request, traits) } : {}),
		...('nextAction' in step ? { nextAction: follow(step.nextAction) } : {}),
		...('firstLoopAction' in step ? { firstLoopAction: follow(step.firstLoopAction) } : {}),
		...(Array.isArray(step.children) ? { children: step.children.map(follow) } : {}),
		...(traits.oldAuthorization ? {} : { lastUpdatedDate: at }),
	};
}

/** The connection in `auth` of each step, in the order of the steps. */
function connectionsOf(step: unknown): string[] {
	if (!isObject(step)) return [];
	const { input } = isObject(step.settings) ? step.settings : {};
	const auth = isObject(input) && typeof input.auth === 'string' ? input.auth : '';
	const name = /^\{\{connections\['(.*)'\]\}\}$/.exec(auth)?.[1];
	const children: unknown[] = Array.isArray(step.children) ? step.children : [];
	return [
		...(name === undefined ? [] : [name]),
		...[step.firstLoopAction, ...children, step.nextAction].flatMap(connectionsOf),
	];
}

const isValid = (step: unknown): boolean =>
	!isObject(step) ||
	(step.valid !== false &&
		[step.nextAction, step.firstLoopAction].every(isValid) &&
		(Array.isArray(step.children) ? step.children : []).every(isValid));

/** The draft after IMPORT_FLOW (har/enterprise-*, b/56 to b/96). Any schemaVersion is stored as the server's own. */
export function importInto(
	draft: FlowVersionRecord,
	request: ImportRequest,
	traits: ReleaseTraits,
	{ at, userId }: { at: string; userId: string | null },
): void {
	const trigger = storedStep(request.trigger, request, traits, at);
	Object.assign(draft, {
		displayName: request.displayName,
		trigger: asJsonb(trigger),
		schemaVersion: traits.schemaVersion,
		connectionIds: [...new Set(connectionsOf(trigger))],
		agentIds: [],
		valid: trigger.type !== 'EMPTY' && isValid(trigger),
		updatedBy: userId ?? draft.updatedBy,
	});
	if (traits.oldAuthorization) return;
	draft.notes = (request.notes ?? []).map((note) => ({ ...(note as object), ownerId: userId }));
}
