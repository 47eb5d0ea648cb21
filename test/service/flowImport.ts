import { uselessError } from './errors';
import { convert } from './flowFormats';
import type { FlowVersionRecord, ServiceData } from './records';
import type { ReleaseTraits } from './releases';

type Step = Record<string, unknown>;

interface ImportRequest {
	displayName: string;
	trigger: Step;
	schemaVersion?: string | null;
	notes?: unknown[] | null;
}

const isObject = (value: unknown): value is Step =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isNil = (value: unknown): boolean => value === undefined || value === null;

const without = (step: Step, field: string): Step =>
	Object.fromEntries(Object.entries(step).filter(([name]) => name !== field));

/** Sorts the keys of an object as PostgreSQL's jsonb does: shorter ones first (recorded). */
function asJsonb(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(asJsonb);
	if (!isObject(value)) return value;
	const keys = Object.keys(value).sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
	return Object.fromEntries(keys.map((key) => [key, asJsonb(value[key])]));
}

function storedSettings({ type, settings }: Step, request: ImportRequest, traits: ReleaseTraits) {
	if (!isObject(settings)) return settings;
	const { schemaVersion } = request;
	const stored = without(settings, 'sampleData');
	if (isNil(schemaVersion) && isObject(stored.propertySettings)) {
		// A file without a schemaVersion counts as one of the first (har/enterprise-*, b/62 and b/63).
		const names = Object.keys(isObject(stored.input) ? stored.input : {});
		stored.propertySettings = Object.fromEntries(names.map((name) => [name, { type: 'MANUAL' }]));
	}
	if (typeof stored.pieceVersion === 'string' && traits.oldFlows) {
		// A range stays unchanged (read in the service's source).
		stored.pieceVersion = stored.pieceVersion.replace(/^0/, '~0').replace(/^[1-9]/, '^$&');
	}
	if (stored.input && Number(traits.schemaVersion) >= 21 && Number(schemaVersion ?? 0) < 21) {
		// From 21 on, a reference to a step names its output (har/enterprise-0.85, b/91).
		const reference = /\{\{(trigger|step_\d{1,4})\b(?!\['output'\])/g;
		stored.input = JSON.parse(JSON.stringify(stored.input).replace(reference, "{{$1['output']"));
	}
	// The trigger of a piece has none.
	if (type !== 'PIECE_TRIGGER') stored.sampleData = {};
	return stored;
}

/**
 * A step of another type is left out with all after it, with 200 (seen on a real 0.86, and read in the source of its
 * import, which is that of the other releases).
 */
const isKnown = ({ type }: Step, { aiRouters }: ReleaseTraits): boolean =>
	['CODE', 'LOOP_ON_ITEMS', 'PIECE', 'ROUTER', ...(aiRouters ? ['AI_ROUTER'] : [])].some(
		(known) => known === type,
	);

/** A step as it is stored, with those that follow it. */
function storedStep(step: Step, request: ImportRequest, traits: ReleaseTraits, at: string): Step {
	const stored = without(step, 'lastUpdatedDate');
	const follow = (next: unknown) => {
		if (!isObject(next)) return next;
		if (isKnown(next, traits)) return storedStep(next, request, traits, at);
		// From the first edition of the format, the migrations read every step.
		if (isNil(request.schemaVersion)) throw uselessError(500);
		return undefined;
	};
	if ('settings' in step) stored.settings = storedSettings(step, request, traits);
	for (const name of ['nextAction', 'firstLoopAction']) {
		if (!(name in step)) continue;
		stored[name] = follow(step[name]);
		if (stored[name] === undefined) delete stored[name];
	}
	if (Array.isArray(step.children)) stored.children = step.children.map(follow);
	// What follows a success or a failure, since 0.85.2 (read in its source).
	const { continueOnFailureBranches: branches } = step;
	if (Number(traits.schemaVersion) >= 22 && isObject(branches)) {
		const followed = Object.entries(branches).map(([name, first]) => [name, follow(first)]);
		stored.continueOnFailureBranches = Object.fromEntries(followed) as Step;
	} else delete stored.continueOnFailureBranches;
	stored.lastUpdatedDate = at;
	return stored;
}

/** A step and all after it, in their order. */
export function stepsFrom(step: unknown): Step[] {
	if (!isObject(step)) return [];
	const children: unknown[] = Array.isArray(step.children) ? step.children : [];
	const branches = Object.values(step.continueOnFailureBranches ?? {});
	const inside = [step.firstLoopAction, ...children, ...branches];
	return [step, ...[...inside, step.nextAction].flatMap(stepsFrom)];
}

/** The connection in `auth` of a step. */
function connectionOf({ settings }: Step): string[] {
	const { input } = isObject(settings) ? settings : {};
	const auth = isObject(input) ? String(input.auth) : '';
	return /^\{\{connections\['(.*)'\]\}\}$/.exec(auth)?.slice(1) ?? [];
}

/** The draft after IMPORT_FLOW (har/enterprise-*, b/56 to b/96). Any schemaVersion is stored as the server's own. */
export function importInto(
	draft: FlowVersionRecord,
	request: ImportRequest,
	traits: ReleaseTraits,
	{ at, userId, data }: { at: string; userId: string | null; data: ServiceData },
): void {
	const trigger = structuredClone(storedStep(request.trigger, request, traits, at));
	const steps = stepsFrom(trigger);
	convert(steps, [Number(request.schemaVersion ?? 0), Number(traits.schemaVersion)], data);
	Object.assign(draft, {
		displayName: request.displayName,
		trigger: asJsonb(trigger),
		schemaVersion: traits.schemaVersion,
		connectionIds: [...new Set(steps.flatMap(connectionOf))],
		agentIds: [],
		valid: trigger.type !== 'EMPTY' && steps.every(({ valid }) => valid !== false),
		updatedBy: userId ?? draft.updatedBy,
		notes: (request.notes ?? []).map((note) => ({ ...(note as object), ownerId: userId })),
	});
}
