import type { INodeProperties } from 'n8n-workflow';

/* Makes the fields of the editor. The order of their properties is that of n8n's own nodes. */

type Details = Omit<INodeProperties, 'displayName' | 'name' | 'type' | 'default'>;

export const textField = (
	displayName: string,
	name: string,
	details: Details,
): INodeProperties => ({ displayName, name, type: 'string', default: '', ...details });

export const nameField = (displayName: string, details: Details): INodeProperties => ({
	displayName,
	name: 'displayName',
	type: 'string',
	required: true,
	default: '',
	...details,
});

export const booleanField = (
	displayName: string,
	name: string,
	description: string,
): INodeProperties => ({ displayName, name, type: 'boolean', default: false, description });

export const optionsField = (
	displayName: string,
	name: string,
	{ options, default: initial, ...details }: Details & Pick<INodeProperties, 'default'>,
): INodeProperties => ({
	displayName,
	name,
	type: 'options',
	options,
	default: initial,
	...details,
});

export const multiOptionsField = (
	displayName: string,
	name: string,
	{ options, ...details }: Details,
): INodeProperties => ({
	displayName,
	name,
	type: 'multiOptions',
	options,
	default: [],
	...details,
});

export const collectionField = (
	displayName: string,
	name: string,
	placeholder: string,
	options: INodeProperties[],
): INodeProperties => ({
	displayName,
	name,
	type: 'collection',
	placeholder,
	default: {},
	options,
});

export const ifExistsField = (
	displayName: string,
	record: string,
	description: string,
): INodeProperties =>
	optionsField(displayName, 'ifExists', {
		options: [
			{
				name: 'Return an Error',
				value: 'error',
				description: 'Fails the item and changes nothing',
			},
			{
				name: `Use Existing ${record}`,
				value: 'use',
				description: `Returns the existing ${record.toLowerCase()} and changes nothing`,
			},
		],
		default: 'error',
		description,
	});
