/**
 * The project that an item names, then its record. Before an operation runs, each locator gets the ID of its record, so
 * that only this file knows By Name and By External ID, and what a chosen project means for a record.
 */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import type { ApiClient } from '../transport/api/client';
import { inProject } from '../transport/client/request';
import { validationError } from '../transport/errors/error';
import { isWholeId } from '../transport/ids';
import { limits } from '../transport/limits';
import { cleanInput, comparable } from '../transport/names';
import { nameAndId, shortName, someOf } from '../transport/texts';
import { isRecord, textOf } from '../transport/values';
import { identify, KEY_WORDS, withKey, type KnownRecord, type RecordKey } from './knownRecords';
import { getOptionalId, toLocatorId, type Locator, type OptionList } from './locator';
import { isBlank, locatorValue, splitList, toIdText } from './parameters';

interface Known extends KnownRecord {
	/** A global connection may be in several projects */
	projectIds: string[];
}

/** Whose records have names: those of a locator, or of a field with several records. */
type RecordList = Pick<Locator, 'sources' | 'byName' | 'byExternalId'>;

async function fetchKnown(
	client: ApiClient,
	{ sources, ...list }: RecordList,
	projectId: string | undefined,
): Promise<Known[]> {
	const known: Known[] = [];
	const convert = (record: IDataObject) => {
		const projectIds = [record.projectId ?? record.projectIds ?? []].flat().map(textOf);
		// A global connection is in several projects.
		if (projectId !== undefined && projectIds.length > 0 && !projectIds.includes(projectId)) return;
		known.push({ ...identify(record, list), projectIds });
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

/**
 * The records of a list, read once for all input items, and again after a while: during a long run a name may get
 * another record.
 */
const fetchKnownOnce = async (
	client: ApiClient,
	method: string,
	list: RecordList,
	projectId: string | undefined,
): Promise<Known[]> =>
	await client.cached(
		`known of ${method} in ${projectId}`,
		async () => await fetchKnown(client, list, projectId),
		limits.knownRecordsMs,
	);

/** The field that names a record, for messages */
type RecordField = Pick<Locator, 'noun' | 'displayName'>;

interface Key extends RecordKey {
	/** Undefined for all projects */
	projectId: string | undefined;
}

/** The records that a text names. By Name it may be an ID: of two records with one name, messages name the IDs. */
function namedBy(records: Known[], { mode, text }: Key): Known[] {
	const named = withKey(records, { mode, text });
	return named.length > 0 || mode !== 'name' ? named : withKey(records, { mode: 'id', text });
}

const inProjectWords = ({ projectId }: Key): string =>
	projectId === undefined ? '' : ' in the project';

function noneError({ noun, displayName }: RecordField, key: Key) {
	const { mode, text } = key;
	if (mode === 'id') {
		return validationError(
			`The ${noun} "${shortName(text)}" is not in the chosen project`,
			`Check ${displayName} and Project, or leave Project empty.`,
		);
	}
	return validationError(
		`No ${noun}${inProjectWords(key)} has the ${KEY_WORDS[mode]} "${shortName(text)}"`,
		`Check ${displayName}.`,
	);
}

function severalError(
	{ projectNames }: ApiClient,
	{ noun, displayName }: RecordField,
	key: Key,
	records: Known[],
) {
	const { mode, text } = key;
	const labels = records.map(({ id, projectIds: [place = ''] }) => {
		const project = projectNames.get(place);
		return project === undefined
			? shortName(id)
			: `${shortName(id)} in ${nameAndId(project, place)}`;
	});
	const places = new Set(records.map(({ projectIds: [place] }) => place));
	const byProject = places.size === 1 ? '' : ' Or choose the project of one in Project.';
	return validationError(
		`${records.length} ${noun}s${inProjectWords(key)} have the ${KEY_WORDS[mode]} "${shortName(text)}"`,
		`Their IDs are ${someOf(labels)}. Set ${displayName} to one of these IDs.${byProject}`,
	);
}

/**
 * The ID of the record with a key, in the project if there is one.
 *
 * @throws {ValidationError} when there is none, or more than one
 */
async function findId(client: ApiClient, locator: Locator, key: Key): Promise<string> {
	const { firstEntry, searchMethod } = locator;
	const { mode, text, projectId } = key;
	if (firstEntry !== undefined && comparable(firstEntry.name) === comparable(text)) {
		return String(firstEntry.value);
	}
	// A later try of *Retry On Fail* means the record of the first one, which may have another name now, or be gone.
	const before = client.ledger.kept<string>(JSON.stringify([searchMethod, mode, text, projectId]));
	if (before.value !== undefined) return before.value;
	const records = namedBy(await fetchKnownOnce(client, searchMethod, locator, projectId), key);
	if (records.length === 1) return (before.value = records[0].id);
	throw records.length === 0
		? noneError(locator, key)
		: severalError(client, locator, key, records);
}

/** The values of a field for the records that it names, each by that value or its name. */
async function findAll(
	client: ApiClient,
	{ path, displayName, list }: ListPlace,
	texts: string[],
	projectId: string | undefined,
): Promise<string[]> {
	const { noun, loadMethod, byExternalId } = list;
	if (texts.every(isWholeId)) return texts;
	const known = await fetchKnownOnce(client, loadMethod, list, projectId);
	return texts.flatMap((text) => {
		if (isWholeId(text) || withKey(known, { mode: 'externalId', text }).length > 0) return text;
		const key: Key = { mode: 'name', text, projectId };
		const records = namedBy(known, key);
		// An external ID that no record has, as before a deployment
		if (records.length === 0 && byExternalId !== undefined) return text;
		if (records.length === 0) throw noneError({ noun, displayName }, key);
		// A filter means all of one name.
		if (records.length > 1 && !path.startsWith('filters.')) {
			throw severalError(client, { noun, displayName }, key, records);
		}
		return records.flatMap(({ id, externalIds }) =>
			byExternalId === undefined ? id : externalIds,
		);
	});
}

/** A locator that may hold a name, and how an operation reads it: `filters.folderId`. */
interface Place {
	path: string;
	locator: Locator;
}

/** Likewise a field with several records. */
interface ListPlace {
	path: string;
	displayName: string;
	list: OptionList;
}

const PROJECT = 'projectId';

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
		// Of one field with several properties, n8n shows one.
		.filter(({ path }, index, all) => all.findIndex((each) => each.path === path) === index)
		.sort((a, b) => Number(b.path === PROJECT) - Number(a.path === PROJECT));

const modeOf = (value: unknown) => (isRecord(value) ? value.mode : undefined);

const isByName = (mode: unknown): mode is 'name' | 'externalId' =>
	mode === 'name' || mode === 'externalId';

/** Whether an ID, too, must be that of a record of the chosen project. Optional fields are checked by their operations. */
const isOfProject = ({ path, locator }: Place): boolean =>
	path !== PROJECT && locator.required && typeof locator.sources !== 'function';

/** The fields with several records among those of an operation, of which some may be names. */
export const listPlacesIn = (
	properties: INodeProperties[],
	lists: OptionList[],
	within = '',
): ListPlace[] =>
	properties.flatMap(({ name, displayName, type, typeOptions, options }): ListPlace[] => {
		const path = within + name;
		if (type === 'collection') {
			return listPlacesIn(options as INodeProperties[], lists, `${path}.`);
		}
		const list = lists.find(({ loadMethod }) => loadMethod === typeOptions?.loadOptionsMethod);
		return list?.byName === undefined ? [] : [{ path, displayName, list }];
	});

/** Whether an item names a record otherwise than by its ID, or the project of a record. */
const isNeeded = (fields: FieldReader, places: Place[], lists: ListPlace[]): boolean =>
	// As the workflow saves them: n8n takes long for evaluating expressions.
	places.some(({ path }) => isByName(modeOf(fields.raw(path, '')))) ||
	lists.some(({ path }) => !isBlank(fields.raw(path, ''))) ||
	(places.some(isOfProject) && !isBlank(locatorValue(fields.raw(PROJECT, ''))));

/**
 * A record may be of any project only if Project was left empty. An empty text from an expression is an empty cell, and the
 * record would be that of another customer; from a model it means no project.
 *
 * @throws {ValidationError} for an expression that a person has written
 */
function assertLeftEmpty(fields: FieldReader): void {
	const saved = locatorValue(fields.raw(PROJECT, ''));
	if (typeof saved !== 'string' || !saved.startsWith('=') || saved.includes('$fromAI')) return;
	throw validationError(
		'The expression in Project returns an empty text',
		'Change the expression, or leave Project empty to find the record in all projects.',
	);
}

/** The fields of an item, in which records have IDs. A record that is not found is reported when its field is read. */
export async function withIds<F extends FieldReader>(
	fields: F,
	places: Place[],
	lists: ListPlace[] = [],
): Promise<F> {
	if (!isNeeded(fields, places, lists)) return fields;
	const { client } = fields;
	const values = new Map<string, () => unknown>();
	const get: FieldReader['get'] = (name, fallback) =>
		(values.get(name) ?? (() => fields.get(name, fallback)))();
	const project = places.find(({ path }) => path === PROJECT);
	let chosen: { id?: string } | undefined;
	const chosenProject = () => {
		chosen ??= {
			id: project && getOptionalId({ ...fields, get }, project.locator, places.some(isOfProject)),
		};
		return chosen.id;
	};
	const projectOfRecord = (place: Place) => {
		const id = chosenProject();
		if (id === undefined && isOfProject(place)) assertLeftEmpty(fields);
		return id;
	};
	const valueOf = async (place: Place): Promise<unknown> => {
		const { path, locator } = place;
		const saved = fields.get(path, '');
		const mode = modeOf(saved);
		const text = cleanInput(textOf(locatorValue(saved)));
		// What an empty field means, its own reader knows.
		if (text === '' || (!isByName(mode) && !isOfProject(place))) return saved;
		const projectId = path === PROJECT ? undefined : projectOfRecord(place);
		if (!isByName(mode) && projectId === undefined) return saved;
		const key: Key = isByName(mode)
			? { mode, text, projectId }
			: { mode: 'id', text: toLocatorId(locator, saved, client), projectId };
		return { __rl: true, mode: 'id', value: await findId(client, locator, key) };
	};
	const idsOf = async (place: ListPlace): Promise<unknown> => {
		const saved = fields.get(place.path, '');
		if (isBlank(saved)) return saved;
		const texts = splitList(place.displayName, saved, toIdText);
		return await findAll(client, place, texts, chosenProject());
	};
	// Kept, because n8n takes long for evaluating an expression again.
	const keep = async (path: string, value: Promise<unknown>) => {
		const read = value.then(
			(resolved) => () => resolved,
			(error: unknown) => () => {
				throw error;
			},
		);
		values.set(path, await read);
	};
	for (const place of places) await keep(place.path, valueOf(place));
	for (const place of lists) await keep(place.path, idsOf(place));
	return { ...fields, get };
}
