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
import {
	getOptionalId,
	isByProject,
	locatorOf,
	toLocatorId,
	type Locator,
	type OptionList,
} from './locator';
import { isBlank, locatorValue, splitList, toIdText } from './parameters';
import { projectLocator } from './project';

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
	if (!isByProject(sources)) {
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
	searchMethod: string,
	list: RecordList,
	projectId: string | undefined,
): Promise<Known[]> =>
	await client.cached(
		`known of ${searchMethod} in ${projectId}`,
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
	const labels = records.map(({ id, projectIds: [projectId = ''] }) => {
		const project = projectNames.get(projectId);
		return project === undefined
			? shortName(id)
			: `${shortName(id)} in ${nameAndId(project, projectId)}`;
	});
	const projects = new Set(records.map(({ projectIds: [projectId] }) => projectId));
	const byProject = projects.size === 1 ? '' : ' Or choose the project of one in Project.';
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
	const before = client.ledger.remembered<string>(
		JSON.stringify([searchMethod, mode, text, projectId]),
	);
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
	{ path, displayName, list }: ListField,
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
interface LocatorField {
	path: string;
	locator: Locator;
}

/** Likewise a field with several records. */
interface ListField {
	path: string;
	displayName: string;
	list: OptionList;
}

const PROJECT = 'projectId';

/** The locators among the fields of an operation that may hold a name, the project first. */
export const locatorFieldsIn = (properties: INodeProperties[], within = ''): LocatorField[] =>
	properties
		.flatMap((property): LocatorField[] => {
			const path = within + property.name;
			if (property.type === 'collection') {
				return locatorFieldsIn(property.options as INodeProperties[], `${path}.`);
			}
			const locator = locatorOf(property);
			return locator?.byName === undefined ? [] : [{ path, locator }];
		})
		// Of one field with several properties, n8n shows one.
		.filter(({ path }, index, all) => all.findIndex((each) => each.path === path) === index)
		.sort((a, b) => Number(b.path === PROJECT) - Number(a.path === PROJECT));

const modeOf = (value: unknown) => (isRecord(value) ? value.mode : undefined);

const isByName = (mode: unknown): mode is 'name' | 'externalId' =>
	mode === 'name' || mode === 'externalId';

/** Whether an ID, too, must be that of a record of the chosen project. Optional fields are checked by their operations. */
const mustBeOfProject = ({ path, locator }: LocatorField): boolean =>
	path !== PROJECT && locator.required && isByProject(locator.sources);

/** The fields with several records among those of an operation, of which some may be names. */
export const listFieldsIn = (
	properties: INodeProperties[],
	lists: OptionList[],
	within = '',
): ListField[] =>
	properties.flatMap(({ name, displayName, type, typeOptions, options }): ListField[] => {
		const path = within + name;
		if (type === 'collection') {
			return listFieldsIn(options as INodeProperties[], lists, `${path}.`);
		}
		const list = lists.find(({ loadMethod }) => loadMethod === typeOptions?.loadOptionsMethod);
		return list?.byName === undefined ? [] : [{ path, displayName, list }];
	});

/** Whether an item names a record otherwise than by its ID, or the project of a record. */
const isNeeded = (fields: FieldReader, locators: LocatorField[], lists: ListField[]): boolean =>
	// As the workflow saves them: n8n takes long for evaluating expressions.
	locators.some(({ path }) => isByName(modeOf(fields.raw(path, '')))) ||
	lists.some(({ path }) => !isBlank(fields.raw(path, ''))) ||
	(locators.some(mustBeOfProject) && !isBlank(locatorValue(fields.raw(PROJECT, ''))));

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

/** Reads the records that an item names: the project first, and the fields with several records last. */
class FieldsWithIds<F extends FieldReader> {
	/** By path. An error is kept as well: it is reported when its field is read */
	private readonly values = new Map<string, () => unknown>();
	/** Undefined until the project is needed */
	private project?: { id?: string };

	constructor(
		private readonly fields: F,
		private readonly locatorFields: LocatorField[],
		private readonly listFields: ListField[],
	) {}

	async read(): Promise<F> {
		for (const each of this.locatorFields) await this.keep(each.path, this.readLocator(each));
		for (const each of this.listFields) await this.keep(each.path, this.readList(each));
		return { ...this.fields, get: this.get };
	}

	private readonly get: FieldReader['get'] = (name, fallback) => {
		const value = this.values.get(name);
		return value === undefined ? this.fields.get(name, fallback) : value();
	};

	/** Kept, because n8n takes long for evaluating an expression again. */
	private async keep(path: string, value: Promise<unknown>): Promise<void> {
		const read = value.then(
			(resolved) => () => resolved,
			(error: unknown) => () => {
				throw error;
			},
		);
		this.values.set(path, await read);
	}

	/**
	 * @param isOfRecord whether a record must be of it: then no project means all, whatever it means to the operation, and
	 * `assertLeftEmpty` refuses an empty text
	 */
	private readProject(isOfRecord: boolean): string | undefined {
		const own = this.locatorFields.find(({ path }) => path === PROJECT);
		if (own === undefined) return undefined;
		const fields = { ...this.fields, get: this.get };
		return getOptionalId(fields, isOfRecord ? projectLocator : own.locator, !isOfRecord);
	}

	private projectOf(field: LocatorField | ListField): string | undefined {
		if (field.path === PROJECT) return undefined;
		const isOfRecord = 'locator' in field && mustBeOfProject(field);
		this.project ??= { id: this.readProject(isOfRecord) };
		if (this.project.id === undefined && isOfRecord) assertLeftEmpty(this.fields);
		return this.project.id;
	}

	private async readLocator(field: LocatorField): Promise<unknown> {
		const { path, locator } = field;
		const { client } = this.fields;
		const saved = this.fields.get(path, '');
		const mode = modeOf(saved);
		const text = cleanInput(textOf(locatorValue(saved)));
		// What an empty field means, its own reader knows.
		if (text === '' || (!isByName(mode) && !mustBeOfProject(field))) return saved;
		const projectId = this.projectOf(field);
		if (!isByName(mode) && projectId === undefined) return saved;
		const key: Key = isByName(mode)
			? { mode, text, projectId }
			: { mode: 'id', text: toLocatorId(locator, saved, client), projectId };
		return { __rl: true, mode: 'id', value: await findId(client, locator, key) };
	}

	private async readList(field: ListField): Promise<unknown> {
		const saved = this.fields.get(field.path, '');
		if (isBlank(saved)) return saved;
		const texts = splitList(field.displayName, saved, toIdText);
		return await findAll(this.fields.client, field, texts, this.projectOf(field));
	}
}

/** The fields of an item, in which records have IDs. A record that is not found is reported when its field is read. */
export async function withIds<F extends FieldReader>(
	fields: F,
	locatorFields: LocatorField[],
	listFields: ListField[] = [],
): Promise<F> {
	if (!isNeeded(fields, locatorFields, listFields)) return fields;
	return await new FieldsWithIds(fields, locatorFields, listFields).read();
}
