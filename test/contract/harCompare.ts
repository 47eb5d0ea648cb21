import { isObject, jsonOf, translate, type Answer, type Entry, type Ids, type Json } from './har';

export const isId = (value: unknown): value is string =>
	typeof value === 'string' && /^[0-9a-zA-Z]{21}$/.test(value) && /\d|[A-Z]/.test(value);

const isTime = (value: Json): boolean =>
	typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$|^\d{13}$/.test(value);

/** Fields whose values are random, personal or specific to that server: only their type is compared. */
const BY_KIND = new Set(
	'color email firstName lastName resumeDateTime durationMs handlerId stepsCount'.split(' '),
);

/** Fields that the node does not read; where types were recorded in place of values, all are compared. */
const NOT_READ = new Set('analytics badges plan steps flowVersion icon owner timeline'.split(' '));

const kindOf = (value: Json | undefined): string =>
	value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;

/** How the values of one body are compared. */
interface Rules {
	ids: Ids;
	/** Only a part of the records and fields was kept */
	isCut: boolean;
	/** Data and times are those of the recorded server: so are cursors, and no field is left out */
	isSameData: boolean;
}

const isRead = (name: string, { isSameData }: Rules): boolean =>
	isSameData || (!NOT_READ.has(name) && !name.startsWith('flowVersion_'));

/** Compares two values, and learns which IDs correspond. */
function differences(
	recorded: Json,
	actual: Json | undefined,
	rules: Rules,
	place = 'body',
): string[] {
	const { ids, isCut, isSameData } = rules;
	const [there, here] = [recorded, actual].map((value) => JSON.stringify(value));
	const unless = (isSame: boolean): string[] =>
		isSame ? [] : [`${place}: ${there} was recorded, not ${here}`.slice(0, 400)];
	const field = place.split('.').at(-1) ?? '';
	if (recorded === '…' || !isRead(field, rules)) return [];
	if (!isSameData && BY_KIND.has(field)) return unless(kindOf(recorded) === kindOf(actual));
	if (Array.isArray(recorded)) {
		if (!Array.isArray(actual)) return unless(false);
		if (isCut) return cutList(recorded, actual, rules, place);
		const all = inFull(recorded, actual.length);
		if (actual.length !== all.length) return unless(false);
		return all.flatMap((each, i) => differences(each, actual[i], rules, `${place}.${i}`));
	}
	if (isObject(recorded)) {
		if (!isObject(actual)) return unless(false);
		const { '…': more, ...fields } = recorded;
		// Cells are keyed by the ID of their column.
		const names = Object.keys(fields).map((name) => ids.get(name) ?? name);
		const added = Object.keys(actual)
			.filter((name) => !names.includes(name) && isRead(name, rules))
			.map((name) => `${place}.${name} was not recorded`);
		const changed = Object.entries(fields).flatMap(([name, value]) =>
			differences(value, actual[ids.get(name) ?? name], rules, `${place}.${name}`),
		);
		return isCut || more !== undefined ? changed : [...added, ...changed];
	}
	if (typeof recorded === 'string' && /^…(string|number|boolean)$/.test(recorded))
		return unless(recorded === `…${typeof actual}`);
	if (typeof recorded !== 'string' || typeof actual !== 'string')
		return unless(recorded === actual);
	const known = ids.get(recorded);
	if (known !== undefined) return unless(known === actual);
	const isCursor = /^(next|previous)$/.test(field);
	if (
		(isId(recorded) && isId(actual)) ||
		(isCursor && !(isSameData && !recorded.startsWith('…')))
	) {
		ids.set(recorded.replace('…', ''), actual);
		return [];
	}
	if (isTime(recorded)) return unless(isTime(actual));
	// Stacks of the recorded server are shortened.
	if (recorded.endsWith('…')) return unless(actual.startsWith(recorded.slice(0, -1)));
	return unless(translate(recorded, ids) === actual);
}

/** A shortened list with as many elements as were recorded: `…` for each of `…7 more`, or for all the others. */
function inFull(recorded: Json[], length: number): Json[] {
	return recorded.flatMap((each) => {
		const more = typeof each === 'string' && /^…(\d*) ?more$/.exec(each);
		if (!more) return [each];
		const others = more[1] === '' ? Math.max(length - recorded.length + 1, 0) : Number(more[1]);
		return Array<Json>(others).fill('…');
	});
}

/**
 * Compares a list that was shortened in the recording: what is kept of each record is compared with the
 * record of its ID, or, the first time, with that at its place.
 */
function cutList(recorded: Json[], actual: Json[], rules: Rules, place: string): string[] {
	return recorded.filter(isObject).flatMap((row, i) => {
		const id = rules.ids.get(String(row.id)) ?? row.id;
		const known = actual.find((each) => isObject(each) && each.id === id);
		const here = known ?? (rules.ids.has(String(row.id)) ? undefined : actual[i]);
		return here === undefined
			? [`${place}.${i}: ${String(row.id)} was recorded, and is not there`]
			: differences(row, here, rules, `${place}.${i}`);
	});
}

/** How a response differs from the recorded one. */
export function compare(
	{ request, response }: Entry,
	answer: Answer,
	ids: Ids,
	isSameData: boolean,
): string[] {
	const { status, headers, text: body } = answer;
	if (status !== response.status) {
		return [`status: ${response.status} was recorded, not ${status} ${body.slice(0, 200)}`];
	}
	const told = response.headers.flatMap(({ name, value }) => {
		const here = headers[name.toLowerCase()];
		const isSame = name === 'x-webhook-id' ? isId(here) : here === value;
		return isSame ? [] : [`${name}: ${value} was recorded, not ${here}`];
	});
	const hasId = response.headers.some(({ name }) => name === 'x-webhook-id');
	if (headers['x-webhook-id'] && !hasId) told.push('x-webhook-id was not recorded');
	const { mimeType, text = '', comment } = response.content;
	const [type, recordedType] = [headers['content-type'] ?? '', mimeType].map(
		(each) => each.split(';')[0],
	);
	if (type !== recordedType) told.push(`type: ${recordedType} was recorded, not ${type}`);
	const recorded = jsonOf(text);
	if (recorded !== undefined && request.method !== 'HEAD') {
		const rules = { ids, isCut: comment !== undefined, isSameData };
		return [...told, ...differences(recorded, jsonOf(body), rules)];
	}
	const isSame = text === '…' || translate(text, ids) === body;
	return isSame ? told : [...told, `body: ${text} was recorded, not ${body}`.slice(0, 400)];
}
