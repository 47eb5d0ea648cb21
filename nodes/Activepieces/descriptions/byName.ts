/**
 * Records that an item names by their name or external ID. Before an operation runs, each such locator gets the ID of its
 * record, so that only this file knows these modes.
 */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import type { ApiClient } from '../transport/api/client';
import { validationError } from '../transport/errors/error';
import {
	cleanInput,
	comparable,
	isRecord,
	nameAndId,
	shortName,
	someOf,
	textOf,
	toId,
} from '../transport/values';
import { inProject } from '../transport/client/request';
import { type Locator, toLocatorId } from './locator';
import { isBlank, locatorValue } from './parameters';

/** What identifies a record; the records themselves, such as flows with their steps, are not kept. */
interface Known {
	id: string;
	name: string;
	externalIds: unknown[];
	projectId: string;
}

async function fetchKnown(
	client: ApiClient,
	{ sources, byName, byExternalId }: Locator,
	projectId: string | undefined,
): Promise<Known[]> {
	const known: Known[] = [];
	const convert = (record: IDataObject) => {
		known.push({
			id: toId(record.id) ?? '',
			name: comparable(byName?.(record)),
			externalIds: byExternalId?.(record) ?? [],
			projectId: textOf(record.projectId ?? [record.projectIds].flat()[0]),
		});
		return undefined;
	};
	if (typeof sources === 'function') {
		for (const { request, isUnpaged } of await sources(client)) {
			await client.fetchList(request, { isUnpaged, convert });
		}
	} else if (projectId === undefined) {
		await client.fetchOfAllProjects(sources.request, { convert });
	} else await client.fetchList(inProject(sources.request, { id: projectId }), { convert });
	return known;
}

type Mode = 'name' | 'externalId';

const WORDS: Record<Mode, string> = { name: 'name', externalId: 'external ID' };

/**
 * The ID of the record with a name or an external ID. The list is read once for all input items.
 *
 * @throws {ValidationError} when there is none, or more than one
 */
async function findId(
	client: ApiClient,
	locator: Locator,
	{ mode, text, projectId }: { mode: Mode; text: string; projectId: string | undefined },
): Promise<string> {
	const { noun, displayName, firstEntry, searchMethod } = locator;
	const wanted = mode === 'name' ? comparable(text) : text;
	if (firstEntry !== undefined && comparable(firstEntry.name) === wanted) {
		return String(firstEntry.value);
	}
	// A later try of *Retry On Fail* means the record of the first one, which may have another name now.
	const before = client.ledger.kept<string>(
		JSON.stringify([searchMethod, mode, wanted, projectId]),
	);
	if (before.value !== undefined) return before.value;
	const all = await client.once(
		`known of ${searchMethod} in ${projectId}`,
		async () => await fetchKnown(client, locator, projectId),
	);
	const found = all.filter(({ name, externalIds }) =>
		mode === 'name' ? name === wanted : externalIds.includes(wanted),
	);
	if (found.length === 1) return (before.value = found[0].id);
	const what = `the ${WORDS[mode]} "${shortName(text)}"`;
	const where = projectId === undefined ? '' : ' in the project';
	if (found.length === 0) {
		throw validationError(
			`No ${noun}${where} has ${what}`,
			`Check ${displayName}, or choose the ${noun} from the list.`,
		);
	}
	const labels = found.map(({ id, projectId: own }) => {
		const project = client.projectNames.get(own);
		return project === undefined ? shortName(id) : `${shortName(id)} in ${nameAndId(project, own)}`;
	});
	throw validationError(
		`${found.length} ${noun}s${where} have ${what}`,
		`Their IDs are ${someOf(labels)}. Choose one from the list in ${displayName}, or enter its ID with By ID.`,
	);
}

/** A locator that may hold a name, and how an operation reads it: `filters.folderId`. */
interface Place {
	path: string;
	locator: Locator;
}

/** The locators among the fields of an operation that may hold a name, the project first. */
export const placesIn = (
	properties: INodeProperties[],
	locators: Locator[],
	within = '',
): Place[] =>
	properties
		.flatMap(({ name, type, options, modes = [] }): Place[] => {
			const path = within + name;
			if (type === 'collection') {
				return placesIn(options as INodeProperties[], locators, `${path}.`);
			}
			const listed = modes[0]?.typeOptions?.searchListMethod;
			// A property knows its locator by this name only.
			const locator = locators.find(({ searchMethod }) => searchMethod === listed);
			return locator?.byName === undefined ? [] : [{ path, locator }];
		})
		.sort((a, b) => Number(b.path === 'projectId') - Number(a.path === 'projectId'));

const modeOf = (value: unknown) => (isRecord(value) ? value.mode : undefined);

const isMode = (mode: unknown): mode is Mode => mode === 'name' || mode === 'externalId';

/** The fields of an item, in which records have IDs. A record that is not found is reported when its field is read. */
export async function withIds<F extends FieldReader>(fields: F, places: Place[]): Promise<F> {
	// As the workflow saves them: n8n takes long for evaluating expressions.
	if (!places.some(({ path }) => isMode(modeOf(fields.raw(path, ''))))) return fields;
	const { client } = fields;
	const read = new Map<string, () => unknown>();
	let projectId: () => string | undefined = () => undefined;
	const valueOf = async ({ path, locator }: Place): Promise<unknown> => {
		const given = fields.get(path, '');
		const mode = modeOf(given);
		const held = locatorValue(given);
		const text = typeof held === 'number' ? String(held) : cleanInput(held);
		// What an empty field means, its own reader knows.
		if (!isMode(mode) || text === '') return given;
		const value = await findId(client, locator, { mode, text, projectId: projectId() });
		return { __rl: true, mode: 'id', value };
	};
	for (const place of places) {
		// Kept, because n8n takes long for evaluating an expression again.
		const value = await valueOf(place).then(
			(given) => () => given,
			(error: unknown) => () => {
				throw error;
			},
		);
		read.set(place.path, value);
		if (place.path !== 'projectId') continue;
		projectId = () =>
			isBlank(locatorValue(value())) ? undefined : toLocatorId(place.locator, value(), client);
	}
	const get: FieldReader['get'] = (name, fallback) =>
		(read.get(name) ?? (() => fields.get(name, fallback)))();
	return { ...fields, get };
}
