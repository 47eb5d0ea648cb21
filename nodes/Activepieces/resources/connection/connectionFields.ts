import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	booleanField,
	choices,
	nameField,
	optionsField,
	pairsField,
	textField,
} from '../../descriptions/fields';
import { locatorField } from '../../descriptions/locator';
import {
	getBoolean,
	getOption,
	readOptional,
	toFilledText,
	toText,
} from '../../descriptions/parameters';
import { isVisible, toRecordName } from '../../descriptions/recordName';
import { toSecret, USE_EXPRESSION } from '../../descriptions/secret';
import type { OperationContext } from '../../execution/operationContext';
import { rowsOf } from '../../transport/credential/headers';
import { validationError } from '../../transport/errors/error';
import { MIN_CHOSEN_LENGTH } from '../../transport/http/redact';
import { recordOf, textOf } from '../../transport/values';
import { getPieceName, pieceLocator } from './piece';

type ConnectionType = 'BASIC_AUTH' | 'CUSTOM_AUTH' | 'NO_AUTH' | 'SECRET_TEXT';

const typeField = optionsField('Type', 'connectionType', {
	options: choices(
		['Basic Auth', 'BASIC_AUTH', 'A username and a password'],
		['Custom Auth', 'CUSTOM_AUTH', 'Several properties, which the piece defines'],
		['None', 'NO_AUTH', 'The piece needs no secret'],
		['Secret Text', 'SECRET_TEXT', 'One secret, such as an API key'],
	),
	default: 'SECRET_TEXT',
	description: 'What the piece needs. Connections with OAuth can only be created in Activepieces.',
});

const shownFor = (...connectionType: ConnectionType[]) => ({
	displayOptions: { show: { connectionType } },
});

const secret = { typeOptions: { password: true } };

/** Fields of a connection that is created or overwritten. */
export const connectionFields: INodeProperties[] = [
	textField('External ID', 'externalId', {
		required: true,
		placeholder: 'e.g. crm',
		description:
			'The ID by which flows refer to the connection. A connection of the same piece and type that has it is overwritten.',
	}),
	nameField('Name', { placeholder: 'e.g. CRM', description: 'The name of the connection' }),
	locatorField(pieceLocator),
	typeField,
	textField('Secret Text', 'secretText', {
		...{ ...secret, ...shownFor('SECRET_TEXT') },
		required: true,
		description: `The secret, such as an API key. ${USE_EXPRESSION}`,
	}),
	textField('Username', 'username', {
		...shownFor('BASIC_AUTH'),
		required: true,
		placeholder: 'e.g. nathan',
	}),
	textField('Password', 'password', {
		...{ ...secret, ...shownFor('BASIC_AUTH') },
		description: `The password. ${USE_EXPRESSION}`,
	}),
	{
		...pairsField(
			'Properties',
			'properties',
			'Add property',
			`The properties that the piece defines, by their names. ${USE_EXPRESSION}`,
			secret,
			{ placeholder: 'e.g. baseUrl' },
		),
		...shownFor('CUSTOM_AUTH'),
	},
];

export const pieceVersionField = textField('Piece Version', 'pieceVersion', {
	placeholder: 'e.g. 0.5.2',
	description: 'The complete version of the piece. By default the newest that is installed.',
});

export const replaceOtherField = booleanField(
	'Replace Any Connection',
	'replaceOther',
	'Whether to also overwrite a connection of another piece or type. Its secret is lost.',
);

/** What is wrong with the names of properties; undefined if nothing is. It quotes none: one may be a secret. */
function problemOf(names: string[]): string | undefined {
	if (names.length === 0) return 'Properties is empty';
	if (!names.every(isVisible)) return 'A property has no name';
	return new Set(names).size < names.length ? 'Two properties have the same name' : undefined;
}

/** Values from expressions may be booleans and numbers, which the piece may want as such. */
function toPropertyValue(value: unknown): boolean | number | string {
	if (typeof value === 'boolean') return value;
	const secret = toSecret('Properties > Value', value);
	return typeof value === 'number' ? value : secret;
}

function readProperties(context: OperationContext): IDataObject {
	const rows = rowsOf(context.get('properties', {})).map(
		({ name, value }) => [toText('Properties > Name', name ?? ''), toPropertyValue(value)] as const,
	);
	const problem = problemOf(rows.map(([name]) => name));
	if (problem === undefined) return Object.fromEntries(rows);
	throw validationError(problem, 'Change Properties.');
}

function readValue(context: OperationContext, type: ConnectionType) {
	switch (type) {
		case 'SECRET_TEXT':
			return { secret_text: toSecret('Secret Text', context.get('secretText', '')) };
		case 'BASIC_AUTH': {
			const password = { label: 'Password', name: 'password', emptyMeans: 'no password' };
			return {
				username: toSecret('Username', context.get('username', '')),
				password: readOptional(context, { ...password, parse: toSecret }) ?? '',
			};
		}
		case 'CUSTOM_AUTH':
			return { props: readProperties(context) };
		case 'NO_AUTH':
			return {};
	}
}

/**
 * The secrets in the value of a connection. A username is one only without a real password: some services want
 * their key there, and no password or any letter. Otherwise it is a word such as "admin", which messages need.
 */
function secretsOf(value: IDataObject): string[] {
	const { secret_text: secretText, username, password, props } = value;
	const isKey = textOf(password).length < MIN_CHOSEN_LENGTH;
	return [secretText, password, isKey ? username : undefined, ...Object.values(recordOf(props))]
		.filter((each) => typeof each === 'string' || typeof each === 'number')
		.map(String);
}

/** A connection as the service takes it, apart from where it belongs. */
export function readConnection(context: OperationContext) {
	const type = getOption(context, typeField);
	const value = readValue(context, type);
	context.client.addSecrets(secretsOf(value));
	const pieceVersion = toText('Piece Version', context.get('options.pieceVersion', '') ?? '');
	return {
		body: {
			externalId: toFilledText('External ID', context.get('externalId', '')),
			displayName: toRecordName('Name', context.get('displayName', ''), 'connection'),
			pieceName: getPieceName(context),
			type,
			value: { type, ...value },
			...(pieceVersion === '' ? {} : { pieceVersion }),
		},
		replaceOther: getBoolean(context, replaceOtherField, 'options'),
	};
}

export type ReadConnection = ReturnType<typeof readConnection>;
