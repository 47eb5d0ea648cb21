import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	NodePropertyTypes,
} from 'n8n-workflow';

import { capitalize } from '../transport/texts';

/* Makes the fields of the editor. The order of their properties is that of n8n's own nodes. */

type Default = INodeProperties['default'];
export type Details = Omit<INodeProperties, 'displayName' | 'name' | 'type' | 'default'> & {
	default?: Default;
};

interface Choice<Value extends string> extends INodePropertyOptions {
	value: Value;
}

/** A field with fixed options, of which `Value` is the type. */
export interface OptionsField<Value extends string = string> extends INodeProperties {
	options?: Array<Choice<Value>>;
}

/** `SECRET_TEXT` as `Secret Text` */
const labelOfValue = (value: string): string =>
	value.toLowerCase().split('_').map(capitalize).join(' ');

/** An option: its name, its value and a description, or only a value, like which it is named. */
type Option<Value extends string> =
	Value | readonly [name: string, value: Value, description: string] | Choice<Value>;

export type ChoiceDetails<Value extends string> = Omit<Details, 'options'> & {
	options?: ReadonlyArray<Option<Value>>;
};

function toChoice<Value extends string>(option: Option<Value>): Choice<Value> {
	if (typeof option === 'string') return { name: labelOfValue(option), value: option };
	if (!('value' in option)) {
		const [name, value, description] = option;
		return { name, value, description };
	}
	return option;
}

const fieldOf =
	(type: NodePropertyTypes, initial: Default) =>
	(displayName: string, name: string, details: Details = {}): INodeProperties => ({
		displayName,
		name,
		type,
		default: initial,
		...details,
	});

export const textField = fieldOf('string', '');

const choiceFieldOf =
	(type: NodePropertyTypes, initial: Default) =>
	<const Value extends string>(displayName: string, name: string, details: ChoiceDetails<Value>) =>
		fieldOf(type, initial)(displayName, name, {
			...details,
			...(details.options && { options: details.options.map((each) => toChoice(each)) }),
		} as Details) as OptionsField<Value>;

export const optionsField = choiceFieldOf('options', '');
export const multiOptionsField = choiceFieldOf('multiOptions', []);
export const timeField = fieldOf('dateTime', '');
/** The least value is 1 unless it is given. */
export const numberField = (displayName: string, name: string, details: Details): INodeProperties =>
	fieldOf('number', 0)(displayName, name, { typeOptions: { minValue: 1 }, ...details });

export const nameField = (displayName: string, details: Details, name = 'displayName') =>
	textField(displayName, name, { required: true, ...details });

export const booleanField = (displayName: string, name: string, description: string) =>
	fieldOf('boolean', false)(displayName, name, { description });

export const collectionField = (
	displayName: string,
	name: string,
	placeholder: string,
	options: INodeProperties[],
) => fieldOf('collection', {})(displayName, name, { placeholder, options });

/** Rows of fields, any number of them. */
export const rowsField = (
	displayName: string,
	name: string,
	details: Details,
	row: INodePropertyCollection,
): INodeProperties =>
	fieldOf('fixedCollection', {})(displayName, name, {
		typeOptions: { multipleValues: true },
		...details,
		options: [row],
	});

/** n8n saves with the workflow what is typed into a field. */
const USE_EXPRESSION = 'The workflow stores what you type here, so use an expression.';

/** A field with a secret. */
export const secretField = (
	displayName: string,
	name: string,
	{ description, ...details }: Details & { description: string },
): INodeProperties =>
	textField(displayName, name, {
		typeOptions: { password: true },
		...details,
		description: `${description} ${USE_EXPRESSION}`,
	});

export const IN_NODE = { displayOptions: { hide: { '@tool': [true] } } };
export const IN_TOOL = { displayOptions: { show: { '@tool': [true] } } };

export const WHOLE_ITEM = '={{ $json }}';

/**
 * A field with JSON. In a tool it is text, because n8n tells a model the type of the field that it fills in: of
 * JSON it tells none, and agents before version 3 then end at `{}` and at JSON as text.
 */
export const jsonFields = (
	displayName: string,
	name: string,
	details: Details,
	inTool: Details = {},
): INodeProperties[] => [
	fieldOf('json', '{}')(displayName, name, { ...details, ...IN_NODE }),
	textField(displayName, name, {
		typeOptions: { rows: 4 },
		default: '{}',
		...details,
		...inTool,
		...IN_TOOL,
	}),
];

/**
 * A field with JSON, which is the input item by default. In a tool there is none: `$json` has the arguments of
 * the model's call, so the model fills in the field, as the editor writes and shows such a field.
 *
 * @param wanted what the model is told to fill in
 * @param usual what it may leave out, as text
 */
export const itemJsonFields = (
	displayName: string,
	name: string,
	description: string,
	wanted: string,
	usual?: string,
): INodeProperties[] => {
	const otherwise = usual === undefined ? '' : `, '${usual}'`;
	const fromModel = `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${displayName}', \`${wanted}\`, 'string'${otherwise}) }}`;
	const details = { required: true, description, default: WHOLE_ITEM };
	return jsonFields(displayName, name, details, { default: fromModel });
};
