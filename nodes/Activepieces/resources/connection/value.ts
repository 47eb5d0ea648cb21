import type { IDataObject } from 'n8n-workflow';

import { optional, shownFor, together } from '../../descriptions/field';
import { choice, field, recordName, rows, secret, text } from '../../descriptions/kinds';
import { inBrackets, nameOf, type Locator } from '../../descriptions/locator';
import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest } from '../../transport/client/request';
import { isListRefused, refusal, validationError } from '../../transport/errors/error';
import type { ResponseRule } from '../../transport/errors/rule';
import { MIN_SECRET_LENGTH } from '../../transport/http/redact';
import type { ApiResponse } from '../../transport/http/response';
import { plainText, shortName, unended } from '../../transport/texts';
import { recordOf, textOf } from '../../transport/values';
import { shortPieceName } from './connection';

/* The value of a connection, and the piece that it is for. */

/** Those that are installed, as an array without pages (read in the service's source). */
const LIST_PIECES: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/pieces' },
	subject: { noun: 'pieces' },
};

export const pieceLocator: Locator = {
	name: 'pieceName',
	displayName: 'Piece',
	noun: 'piece',
	description: 'The piece that the connection is for',
	required: true,
	entry: { displayName: 'By Name', name: 'name', placeholder: 'e.g. @activepieces/piece-slack' },
	searchMethod: 'searchPieces',
	sources: () => [
		{
			key: 'all',
			request: LIST_PIECES,
			isUnpaged: true,
			value: ({ name }) => name,
			label: (piece: IDataObject) => nameOf(piece) + inBrackets(shortPieceName(piece.name)),
		},
	],
};

/** The message about a piece that is not installed, and its description. */
const pieceMissing = (name: string): string =>
	`The piece "${shortName(name)}" is not installed on this Activepieces server`;

const CHECK_PIECE =
	'Set Piece to the whole name of a piece, such as @activepieces/piece-slack. If it is right, install the piece in Activepieces.';

/**
 * Checks that a piece is installed, where the service does not: it stores a connection of type None with any name, if
 * the request has a version (recorded). Where pieces cannot be listed, it is stored.
 *
 * @throws {ActivepiecesError} when the list does not have it
 */
export async function assertPiece(client: ApiClient, name: string): Promise<void> {
	const names = await client.cached('names of pieces', async () => {
		const data = await client.fetchUnpagedList(LIST_PIECES).catch((error: unknown) => {
			if (isListRefused(error)) return undefined;
			throw error;
		});
		return data && new Set(data.map((piece) => piece.name));
	});
	if (names?.has(name) === false) throw refusal(pieceMissing(name), CHECK_PIECE);
}

const propertyValue = secret('Value', 'value', { description: 'The value of the property.' });

/** Values from expressions may be booleans and numbers, which the piece may want as such. */
const anyPropertyValue = field(propertyValue.properties[0], (displayName, value, reader) => {
	if (typeof value === 'boolean') return value;
	const asText = propertyValue.with({ displayName }).parse(value, reader);
	return typeof value === 'number' ? value : asText;
});

function toProperties(
	given: Array<{ name: string; value: boolean | number | string }>,
): IDataObject {
	const properties = Object.fromEntries(given.map(({ name, value }) => [name, value]));
	if (given.length === 0)
		throw validationError('Properties is empty', 'Add at least one property.');
	if (Object.keys(properties).length === given.length) return properties;
	// It quotes no name: one may be a secret.
	throw validationError('Two properties have the same name', 'Change Properties.');
}

/**
 * The secrets in the value of a connection, besides its secret text and password. A username is one only without a
 * real password: some services want their key there, and no password or any letter. Otherwise it is a word such as
 * "admin", which messages need.
 */
function secretsOf(value: IDataObject): string[] {
	const { username, password, props } = value;
	const isKey = textOf(password).length < MIN_SECRET_LENGTH;
	return [isKey ? username : undefined, ...Object.values(recordOf(props))]
		.filter((each) => typeof each === 'string' || typeof each === 'number')
		.map(String);
}

const type = choice('Type', 'connectionType', {
	options: [
		['Basic Auth', 'BASIC_AUTH', 'A username and a password'],
		['Custom Auth', 'CUSTOM_AUTH', 'Several properties, which the piece defines'],
		['None', 'NO_AUTH', 'The piece needs no secret'],
		['Secret Text', 'SECRET_TEXT', 'One secret, such as an API key'],
	],
	default: 'SECRET_TEXT',
	description: 'What the piece needs. Connections with OAuth can only be created in Activepieces.',
});

const secretText = secret('Secret Text', 'secretText', {
	required: true,
	description: 'The secret, such as an API key.',
});

const username = text('Username', 'username', { required: true, placeholder: 'e.g. nathan' });

const password = secret('Password', 'password', { description: 'The password.' });

const properties = rows(
	'Properties',
	'properties',
	{
		row: 'Values',
		placeholder: 'Add property',
		description: 'The properties that the piece defines, by their names',
	},
	{
		name: recordName('Name', 'property', { required: false, placeholder: 'e.g. baseUrl' }, 'name'),
		value: anyPropertyValue,
	},
	toProperties,
);

/** The value of a connection as the service takes it, whose secrets no message shows. */
export const connectionValue = together(
	{
		type,
		secret_text: shownFor(type, 'SECRET_TEXT', secretText),
		username: shownFor(type, 'BASIC_AUTH', username),
		password: shownFor(type, 'BASIC_AUTH', optional(password, 'no password')),
		props: shownFor(type, 'CUSTOM_AUTH', properties),
	},
	(given, { client }) => {
		const value =
			given.type === 'BASIC_AUTH' ? { ...given, password: given.password ?? '' } : given;
		client.addSecrets(secretsOf(value));
		return value;
	},
);

/** As Type shows it, if it has it. */
const typeLabel = (value = ''): string =>
	type.properties[0].options?.find((each) => 'value' in each && each.value === value)?.name ??
	shortName(value);

/** What the worker says: a sentence, or nothing. */
const reasonOf = ({ params }: ApiResponse): string => {
	const sentence = unended(plainText(textOf(params.error), 200));
	return sentence && `Activepieces says: ${sentence}. `;
};

/** The type that a piece needs, in the text with which the worker refuses another one (recorded). */
const typeNeeded = (message: unknown): string | undefined =>
	/piece auth type: (\w+) !== /.exec(textOf(message))?.[1];

/** For connections, whose values a worker checks with their piece (recorded) */
export const CONNECTION_VALUE_RULES: ResponseRule[] = [
	{
		status: 'notFound',
		says: /^piece_metadata_not_found/,
		message: (_words, { request: { body } }) => pieceMissing(textOf(recordOf(body).pieceName)),
		description: CHECK_PIECE,
	},
	{
		status: 'badRequest',
		code: 'INVALID_APP_CONNECTION',
		when: ({ response: { params } }) => typeNeeded(params.error) !== undefined,
		message: 'The piece does not accept a connection of this type',
		description: (_words, { response: { params } }) =>
			`It needs ${typeLabel(typeNeeded(params.error))}: change Type. A connection of a type that Type does not have can only be created in Activepieces.`,
	},
	{
		status: 'badRequest',
		code: 'INVALID_APP_CONNECTION',
		message: 'Activepieces did not accept the values of the connection',
		description: (_words, { response }) =>
			`${reasonOf(response)}Check Type and the fields below it.`,
	},
	{
		code: 'ENGINE_OPERATION_FAILURE',
		message: 'Activepieces could not check the values of the connection',
		description: (_words, { response }) =>
			`${reasonOf(response)}Check that the worker can reach the service of the piece. Then check Type and the fields below it.`,
	},
];
