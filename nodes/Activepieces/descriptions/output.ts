/** What an operation returns of a record: simplified, raw, or selected fields. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import type { ApiClient } from '../transport/api/client';
import { validationError } from '../transport/errors/error';
import { splitList, toBoolean, toOption } from './parameters';
import { IN_NODE, IN_TOOL, optionsField, textField } from './properties';

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	...IN_NODE,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Replaces Simplify when the node is used as a tool, because an agent pays for each field that it reads. */
const outputField = optionsField('Output', 'output', {
	options: [
		['Simplified', 'simplified', 'The most useful fields of the record'],
		['Raw', 'raw', 'The record as Activepieces returns it'],
		['Selected Fields', 'selectedFields', 'Only the fields that you enter'],
	],
	default: 'simplified',
	...IN_TOOL,
	description: 'Which fields of each record to return to the agent',
});

const fieldsField = textField('Fields', 'fields', {
	// Not required: n8n would ask for it whenever Output is an expression, whatever its value.
	placeholder: 'e.g. name, status, version.trigger.displayName',
	displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
	description:
		'Comma-separated names of simplified fields, or paths in the raw record. Returns null for a path that a record does not have. Operations that only read do not accept a name that no record has.',
});

export const outputFields: INodeProperties[] = [simplifyField, outputField, fieldsField];

/**
 * Where a simplified record takes values from that it lacks itself: the URL of its page, the name of its
 * project.
 */
type RecordSource = Pick<ApiClient, 'baseUrl' | 'projectNames'>;

/**
 * Picks the fields of a record that a person reads. For an empty record it returns the names of these fields.
 */
export type Simplify = (record: IDataObject, source?: RecordSource) => IDataObject;

export interface OutputMode {
	/** What is returned of a record */
	transform: (record: IDataObject) => IDataObject;
	/** Called once with all records of the item: refuses a field that none of them has */
	finish: (records: IDataObject[]) => IDataObject[];
	/** Whether this field of the simplified record is returned, so that its value is needed */
	has: (field: string) => boolean;
}

/** The value at a path such as `version.trigger.type`; null if the record has none. */
function valueAt(record: IDataObject, path: string): unknown {
	let value: unknown = record;
	for (const key of path.split('.')) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
		value = (value as IDataObject)[key];
	}
	return value;
}

/**
 * Picks the ID and the named fields of each record, under the names as given. A field of the simplified
 * record takes precedence over a field of the raw record. A path without a value gives null.
 *
 * An unknown field is refused, because an agent would take null for a fact. A path is not refused,
 * because some records lack a value that others have, such as the schedule of a flow.
 */
function selectedFields(names: string[], toSimple: OutputMode['transform']): OutputMode {
	const simplifiedNames = Object.keys(toSimple({}));
	const unseen = new Set(
		names.filter((name) => !name.includes('.') && !simplifiedNames.includes(name)),
	);
	return {
		transform(record) {
			for (const name of unseen) if (Object.hasOwn(record, name)) unseen.delete(name);
			const simple = toSimple(record);
			const withId = Object.hasOwn(record, 'id') ? ['id', ...names] : names;
			return Object.fromEntries(
				withId.map((name) => [
					name,
					Object.hasOwn(simple, name) ? simple[name] : valueAt(record, name),
				]),
			) as IDataObject;
		},
		has: (field) => names.includes(field),
		finish(records) {
			const [unknownField] = unseen;
			if (unknownField === undefined || records.length === 0) return records;
			throw validationError(
				`No record has the field "${unknownField}"`,
				`Change Fields. The simplified fields are ${simplifiedNames.join(', ')}. You can also enter fields of the raw record, including paths such as version.state.`,
			);
		},
	};
}

/** The names of the fields to return; undefined for another option. */
function readNames(fields: FieldReader, option: string): string[] | undefined {
	if (option !== 'selectedFields') return undefined;
	const names = splitList('Fields', fields.get('fields', ''));
	if (names.length > 0) return names;
	throw validationError(
		'Fields is empty',
		'Enter the fields to return, or choose another option in Output.',
	);
}

/** What an item wants of its records, once it is known how they are simplified. */
export function readOutput(fields: FieldReader): (simplify: Simplify) => OutputMode {
	const option = toOption('Output', fields.get('output', 'simplified'), outputField);
	const names = readNames(fields, option);
	// Of the two fields, the one that is hidden gives its default.
	const isSimplified =
		option === 'simplified' && toBoolean('Simplify', fields.get('simplify', true));
	return (simplify) => {
		const transform = (record: IDataObject) => simplify(record, fields.client);
		if (names !== undefined) return selectedFields(names, transform);
		return {
			transform: isSimplified ? transform : (record) => record,
			finish: (records) => records,
			has: (field) => isSimplified && Object.hasOwn(transform({}), field),
		};
	};
}
