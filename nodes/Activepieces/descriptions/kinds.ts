/**
 * The kinds of fields: each describes a field and reads its value. What several of them are together is in `field.ts`.
 */
import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { FieldReader } from '../execution/fieldReader';
import type { OperationContext } from '../execution/operationContext';
import { rowsOf } from '../transport/credential/connectionSettings';
import { validationError } from '../transport/errors/error';
import {
	booleanField,
	type ChoiceDetails,
	type Details,
	IN_NODE,
	IN_TOOL,
	itemJsonFields,
	labelOfValue,
	multiOptionsField,
	namedOptions,
	nameField,
	numberField,
	optionsField,
	pairsField,
	textField,
	timeField,
	WHOLE_ITEM,
} from './fields';
import { EXPRESSION, type OptionList, optionListField } from './locator';
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

/** The properties of fields in rows, which their rows read. */
export { IN_NODE, labelOfValue, namedOptions, optionsField, textField };

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
	with: (details: Details & { name?: string }) => Kind<Value>;
}

export const plain = <Value>(
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

const toAnyText = (label: string, value: unknown) => toText(label, value ?? '');

/** A text, perhaps an empty one. */
export function text(label: string, name: string, details: Details): Kind<string>;
/** @param parse reads the text */
export function text<Value>(
	label: string,
	name: string,
	details: Details,
	parse: (label: string, value: unknown) => Value,
): Kind<Value>;
export function text(label: string, name: string, details: Details, parse = toAnyText) {
	return field(textField(label, name, details), parse);
}

/** @param advice what to do when it is empty */
export const filledText = (label: string, name: string, details: Details, advice?: string) =>
	text(label, name, details, (_label, value) => toFilledText(label, value, advice));

/**
 * A text among the Update Fields that must not be empty.
 *
 * @param noun of the text, with its article
 */
export const newText = (label: string, name: string, noun: string, details: Details) =>
	filledText(label, name, details, `Enter ${noun}, or remove ${label} from Update Fields.`);

/** The name of a record that is created or renamed. */
export const recordName = (label: string, noun: string, details: Details, name?: string) =>
	field(nameField(label, details, name), (_label, value) => toRecordName(label, value, noun));

/** One of the options of a field. */
export const choice = <const Value extends string>(
	label: string,
	name: string,
	details: ChoiceDetails<Value>,
) => {
	const property = optionsField(label, name, details);
	return field(property, (_label, value) => toOption(property, value));
};

/** Several of the options of a field; perhaps none. */
export const choicesOf = <const Value extends string>(
	label: string,
	name: string,
	details: ChoiceDetails<Value>,
) => {
	const property = multiOptionsField(label, name, details);
	return field(property, (_label, value) =>
		splitList(label, value).map((each): string => toOption(property, each)),
	);
};

/** What a Create does if the record exists. */
export const ifExists = (label: string, record: string, description: string) =>
	choice(label, 'ifExists', {
		options: [
			['Return an Error', 'error', 'Fails the item and changes nothing'],
			[
				`Use Existing ${record}`,
				'use',
				`Returns the existing ${record.toLowerCase()} and changes nothing`,
			],
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
	text(label, name, details, (_label, value) => splitList(label, value));

const toIds = (label: string, value: unknown) => splitList(label, value, toIdText);

/** Several IDs, separated by commas; perhaps none. */
export const ids = (label: string, name: string, details: Details) =>
	text(label, name, details, toIds);

/**
 * The name or the ID of a record that a person chooses from a list.
 *
 * @param purpose what it is for, as a sentence without its period
 * @param advice what to do when it is empty
 */
export const optionName = (
	{ loadMethod }: OptionList,
	{ displayName, name }: Pick<INodeProperties, 'displayName' | 'name'>,
	purpose: string,
	advice: string,
) =>
	field(
		optionsField(displayName, name, {
			typeOptions: { loadOptionsMethod: loadMethod },
			description: `${purpose}. Choose from the list, or specify an ID using an ${EXPRESSION}.`,
		}),
		(_label, value) => toFilledText(displayName.replace(' Name or ID', ''), value, advice),
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

export const wholeNumber = <Value = number>(
	label: string,
	name: string,
	details: Details,
	parse = toWholeNumber as (label: string, value: unknown) => Value,
) => field(numberField(label, name, details), (_label, value) => parse(label, value));

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

/** Names with values, several of them. */
export const pairs = <Value>(
	parse: (rows: IDataObject[]) => Value,
	...described: Parameters<typeof pairsField>
) => field(pairsField(...described), (_label, value) => parse(rowsOf(value)));

/** n8n saves with the workflow what is typed into a field. */
export const USE_EXPRESSION = 'The workflow stores what you type here, so use an expression.';

/** A line from a file ends in a line break, which no key has; a text of several lines keeps its own. */
function withoutLineEnd(secret: string): string {
	const [line, ...others] = secret.split(/[\r\n]/);
	return line !== '' && others.every((other) => other === '') ? line : secret;
}

/**
 * A secret as it is, because it may begin or end with a space. It replaces one that nobody can read back, so what
 * an expression without a value leaves, such as a space, is refused. Messages never show a text.
 */
export function toSecret(label: string, value: unknown): string {
	// JavaScript has already changed its last digits.
	if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
		throw validationError(`${label} has more digits than a number keeps`, 'Use text instead.');
	}
	const secret = typeof value === 'string' ? value : toText(label, value ?? '');
	if (isVisible(secret)) return withoutLineEnd(secret);
	throw emptyError(label);
}

/** A text that no message about the item shows. */
export const secret = (
	label: string,
	name: string,
	details: Details,
	prepare = (value: unknown) => value,
): PlainField<string> => ({
	...plain([textField(label, name, details)], (value, { client }) => {
		const secretText = toSecret(label, prepare(value));
		client.addSecrets([secretText]);
		return secretText;
	}),
	turn: 'first',
});

/** Metadata of a record that is created or overwritten: nothing for `{}`. */
export const metadata = (...texts: Parameters<typeof metadataFields>) =>
	plain(metadataFields(...texts), readMetadata);

/** Metadata of a record that exists: `{}` removes it. */
export const newMetadata = (...texts: Parameters<typeof metadataFields>) =>
	plain(metadataFields(...texts), toMetadata);

/** A part of the name, which the service searches with LIKE. */
export const nameFilter = (name: string, records: string, placeholder: string) =>
	text('Name', name, {
		placeholder,
		description: `Return only ${records} whose name contains this text. Not case-sensitive. % and _ are wildcards.`,
	});

/** A point in time as the service writes it. */
const createdFilter = (bound: string, records: string, side: string) =>
	field(
		timeField(`Created ${bound}`, `created${bound}`, {
			description: `Return only ${records} created at this time or ${side}. A time without a zone is in the workflow's time zone.`,
		}),
		(label, value, fields) => toUtc(label, value, fields.getTimezone()),
	);

/** When a record was created; both times are included. */
export const createdFilters = (records: string) => ({
	createdAfter: createdFilter('After', records, 'later'),
	createdBefore: createdFilter('Before', records, 'earlier'),
});
