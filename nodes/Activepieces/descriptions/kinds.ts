/**
 * The kinds of fields: each describes a field and reads its value. What several of them are together is in `field.ts`.
 */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import type { OperationContext } from '../execution/operationContext';
import type { RequestTarget } from '../transport/client/request';
import { toLikePattern } from '../transport/names';
import { recordOf } from '../transport/values';
import { EXPRESSION, optionListField, type OptionList } from './locator';
import { metadataFields, readMetadata, toMetadata } from './metadata';
import {
	emptyError,
	isVisible,
	splitList,
	toBoolean,
	toFilledText,
	toIdText,
	toOption,
	toRecordName,
	toText,
	toUtc,
	toWholeNumber,
} from './parameters';
import {
	booleanField,
	IN_NODE,
	IN_TOOL,
	itemJsonFields,
	multiOptionsField,
	nameField,
	numberField,
	optionsField,
	rowsField,
	secretField,
	textField,
	timeField,
	WHOLE_ITEM,
	type ChoiceDetails,
	type Details,
} from './properties';

export interface Field<Value = unknown> {
	/** As n8n shows it; of JSON a second one, for tools */
	properties: INodeProperties[];
	/** @throws {ValidationError} for a value that cannot be used */
	read: (context: OperationContext) => Value | Promise<Value>;
	/**
	 * When it is read: with a secret before the others, because no message about them may show it; if it asks the service
	 * after them, because a wrong value is refused before anything is sent
	 */
	turn?: 'first' | 'last';
}

/** The field that names the record for which a request is. */
export interface TargetField extends Field<RequestTarget> {
	isTarget: true;
}

/** A field that the trigger can have as well, because it needs no input item. */
export interface SimpleField<Value> extends Field<Value> {
	read: (fields: FieldReader) => Value;
}

/** A field that does not depend on others, so that an Update can have it among its Update Fields. */
export interface PlainField<Value = unknown> extends SimpleField<Value> {
	/** Converts a value that n8n gives */
	parse: (value: unknown, fields: FieldReader) => Value;
}

/** A field among Filters, where a value is read only if it is not blank. */
export interface Filter<Value = unknown> {
	properties: INodeProperties[];
	parse: PlainField<Value>['parse'];
}

/** A field with one property, which others can have with another description. */
interface Kind<Value> extends PlainField<Value> {
	label: string;
	with: (details: Details & { displayName?: string; name?: string }) => Kind<Value>;
}

const plain = <Value>(
	properties: INodeProperties[],
	parse: PlainField<Value>['parse'],
): PlainField<Value> => ({
	properties,
	parse,
	read: (fields) => parse(fields.get(properties[0].name, properties[0].default), fields),
});

/** A field that a tool shows with other details, such as another default. */
const inBoth = (property: INodeProperties, inTool: Details): INodeProperties[] => [
	{ ...property, ...IN_NODE },
	{ ...property, ...IN_TOOL, ...inTool },
];

/** A field with a reader of its own. */
export const field = <Value>(
	property: INodeProperties,
	parse: (label: string, value: unknown, fields: FieldReader) => Value,
): Kind<Value> => ({
	...plain([property], (value, fields) => parse(property.displayName, value, fields)),
	label: property.displayName,
	with: (details) => field({ ...property, ...details }, parse),
});

/** A text; one that is required must not be empty, which n8n does not see of an expression. */
export function text(label: string, name: string, details: Details): Kind<string>;
/** @param convert makes the value of the text */
export function text<Value>(
	label: string,
	name: string,
	details: Details,
	convert: (label: string, text: string) => Value,
): Kind<Value>;
export function text(
	label: string,
	name: string,
	details: Details,
	convert = (_label: string, given: string): unknown => given,
) {
	return field(textField(label, name, details), (shown, value) =>
		convert(shown, (details.required ? toFilledText : toText)(shown, value ?? '')),
	);
}

/**
 * A text among the Update Fields that must not be empty.
 *
 * @param noun of the text, with its article
 */
export const newText = (label: string, name: string, noun: string, details: Details) =>
	field(textField(label, name, details), (shown, value) =>
		toFilledText(shown, value, `Enter ${noun}, or remove ${label} from Update Fields.`),
	);

/**
 * The name of a record that is created or renamed.
 *
 * @param assertValid throws for a name that the service refuses
 */
export const recordName = (
	label: string,
	noun: string,
	details: Details,
	name?: string,
	assertValid?: (label: string, name: string) => void,
) =>
	field(nameField(label, details, name), (shown, value) => {
		const given = toRecordName(shown, value, noun);
		assertValid?.(shown, given);
		return given;
	});

/** One of the options of a field. */
export const choice = <const Value extends string>(
	label: string,
	name: string,
	details: ChoiceDetails<Value>,
) => {
	const property = optionsField(label, name, details);
	return field(property, (shown, value) => toOption(shown, value, property));
};

/** Several of the options of a field; perhaps none. */
export const choicesOf = <const Value extends string>(
	label: string,
	name: string,
	details: ChoiceDetails<Value>,
) => {
	const property = multiOptionsField(label, name, details);
	return field(property, (shown, value) =>
		splitList(shown, value).map((each): string => toOption(shown, each, property)),
	);
};

/** What a Create does if the record exists; `more` is what else it can do. */
export const ifExists = <const More extends string = never>(
	label: string,
	record: string,
	description: string,
	...more: Array<[name: string, value: More, description: string]>
) =>
	choice<'error' | 'use' | More>(label, 'ifExists', {
		options: [
			['Return an Error', 'error', 'Fails the item and changes nothing'],
			[
				`Use Existing ${record}`,
				'use',
				`Returns the existing ${record.toLowerCase()} and changes nothing`,
			],
			...more,
		],
		default: 'error',
		description,
	});

/** @param inTool details that a tool shows instead, such as another default */
export const flag = (
	label: string,
	name: string,
	description: string,
	inTool?: Details,
): Kind<boolean> => {
	const property = booleanField(label, name, description);
	const properties = inTool === undefined ? [property] : inBoth(property, inTool);
	return { ...field(property, toBoolean), properties };
};

/** Several texts, separated by commas; perhaps none. */
export const texts = (label: string, name: string, details: Details) =>
	field(textField(label, name, details), (shown, value) => splitList(shown, value));

const toIds = (label: string, value: unknown) => splitList(label, value, toIdText);

/**
 * The name or the ID of a record that a person chooses from a list.
 *
 * @param purpose what it is for, as a sentence without its period
 * @param advice what to do when it is empty
 */
export const optionName = (
	{ loadMethod, dependsOn }: Pick<OptionList, 'loadMethod'> & { dependsOn?: string[] },
	{ displayName, name }: Pick<INodeProperties, 'displayName' | 'name'>,
	purpose: string,
	advice: string,
) =>
	field(
		optionsField(displayName, name, {
			typeOptions: {
				loadOptionsMethod: loadMethod,
				...(dependsOn && { loadOptionsDependsOn: dependsOn }),
			},
			description: `${purpose}. Choose from the list, or specify an ID using an ${EXPRESSION}.`,
		}),
		(label, value) => toFilledText(label.replace(' Name or ID', ''), value, advice),
	);

/**
 * The IDs of several records that a person chooses from a list, each once: the service refuses a project
 * that is named twice (recorded).
 *
 * @param advice what to do when there is none; by default there may be none
 */
export const optionIds = (
	list: OptionList,
	names: Pick<INodeProperties, 'displayName' | 'name'>,
	purpose: string,
	advice?: string,
) =>
	field(optionListField(list, names, purpose), (label, value) => {
		const chosen = [...new Set(toIds(label, value))];
		if (chosen.length === 0 && advice !== undefined) throw emptyError(label, advice);
		return chosen;
	});

/** A whole number within the bounds that its details have for the editor; the least is 1 unless they say it. */
export function wholeNumber(label: string, name: string, details: Details): Kind<number>;
/** @param convert makes the value of the number */
export function wholeNumber<Value>(
	label: string,
	name: string,
	details: Details,
	convert: (number: number) => Value,
): Kind<Value>;
export function wholeNumber(
	label: string,
	name: string,
	details: Details,
	convert = (number: number): unknown => number,
) {
	const property = numberField(label, name, details);
	const { minValue: min, maxValue: max } = property.typeOptions!;
	return field(property, (shown, value) => convert(toWholeNumber(shown, value, { min, max })));
}

/**
 * JSON, which is the input item by default.
 *
 * @param described as for `itemJsonFields`
 */
export const itemJson = <Value>(
	parse: (label: string, value: unknown, context: OperationContext) => Value,
	...described: Parameters<typeof itemJsonFields>
): Field<Value> => ({
	properties: itemJsonFields(...described),
	read(context) {
		const [label, name] = described;
		// n8n's sandbox takes longer to return a whole item than the rest of a request takes.
		const isWholeItem = context.json !== undefined && context.raw(name, '') === WHOLE_ITEM;
		return parse(label, isWholeItem ? context.json : context.get(name, ''), context);
	},
});

/**
 * Rows of fields, which are read as those of an operation are. Messages name a field with that of the rows:
 * "Columns > Type".
 *
 * @param row what the editor calls one of them
 * @param convert makes the value of the rows
 */
export const rows = <F extends Record<string, Kind<unknown>>, Value>(
	label: string,
	name: string,
	{ row, ...details }: Details & { row: string },
	fields: F,
	convert: (
		values: Array<{ [Name in keyof F]: ReturnType<F[Name]['parse']> }>,
		fields: FieldReader,
	) => Value,
) => {
	const key = row.toLowerCase();
	const values = Object.values(fields).flatMap(({ properties }) => properties);
	const columns = Object.entries(fields).map(([column, each]) => {
		const [property] = each.properties;
		return { column, property, ...each.with({ displayName: `${label} > ${each.label}` }) };
	});
	const readRow = (given: IDataObject, reader: FieldReader) =>
		columns.map(({ column, property, parse }) => {
			// What the editor left out has its default, unlike an expression without a value.
			const isGiven = Object.hasOwn(given, property.name);
			return [column, parse(isGiven ? given[property.name] : property.default, reader)];
		});
	const property = rowsField(label, name, details, { displayName: row, name: key, values });
	return field(property, (_label, value, reader) => {
		const given = [recordOf(value)[key] ?? []].flat().map(recordOf);
		return convert(
			given.map((each) => Object.fromEntries(readRow(each, reader)) as never),
			reader,
		);
	});
};

/** A line from a file ends in a line break, which no key has; a text of several lines keeps its own. */
function withoutLineEnd(secret: string): string {
	const [line, ...others] = secret.split(/[\r\n]/);
	return line !== '' && others.every((other) => other === '') ? line : secret;
}

/**
 * A secret as it is, because it may begin or end with a space. It replaces one that nobody can read back, so what
 * an expression without a value leaves, such as a space, is refused. Messages never show a text.
 */
function toSecret(label: string, value: unknown): string {
	const secret = typeof value === 'string' ? value : toText(label, value ?? '');
	if (isVisible(secret)) return withoutLineEnd(secret);
	throw emptyError(label);
}

/** A text that no message about the item shows. */
export const secret = (
	label: string,
	name: string,
	details: Details & { description: string },
	prepare = (value: unknown) => value,
): Kind<string> => ({
	...field(secretField(label, name, details), (shown, value, { client }) => {
		const secretText = toSecret(shown, prepare(value));
		client.addSecrets([secretText]);
		return secretText;
	}),
	turn: 'first',
});

/** Metadata of a record that is created or overwritten: nothing for `{}`. */
export const metadata = (...details: Parameters<typeof metadataFields>) =>
	plain(metadataFields(...details), readMetadata);

/** Metadata of a record that exists: `{}` removes it. */
export const newMetadata = (...details: Parameters<typeof metadataFields>) =>
	plain(metadataFields(...details), toMetadata);

/** A part of the name, which the service searches with LIKE. */
export const nameFilter = (name: string, records: string, placeholder: string) =>
	text(
		'Name',
		name,
		{
			placeholder,
			description: `Return only ${records} whose name contains this text. Not case-sensitive. % and _ are wildcards.`,
		},
		(_label, part) => toLikePattern(part),
	);

/** A point in time as the service writes it. */
const createdFilter = (bound: string, what: string, side: string) =>
	field(
		timeField(`Created ${bound}`, `created${bound}`, {
			description: `${what} created at this time or ${side}. A time without a zone is in the workflow's time zone.`,
		}),
		(label, value, fields) => toUtc(label, value, fields.getTimezone()),
	);

/** When a record was created; both times are included. */
export const createdFilters = (records: string, verb = 'Return') => ({
	createdAfter: createdFilter('After', `${verb} only ${records}`, 'later'),
	createdBefore: createdFilter('Before', `${verb} only ${records}`, 'earlier'),
});
