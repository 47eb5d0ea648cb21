import type { IDataObject } from 'n8n-workflow';

import { inBrackets, type Locator, nameOf } from '../../descriptions/locator';
import { locatorValue, toFilledText } from '../../descriptions/parameters';
import type { FieldReader } from '../../execution/fieldReader';
import type { ApiClient } from '../../transport/client/client';
import type { ApiRequest } from '../../transport/client/request';
import { isListRefused } from '../../transport/errors/error';
import { hasStatus, when } from '../../transport/errors/rule';
import { keysRefused, refusal } from '../refusals';
import { fetchUnpagedList } from '../../transport/lists/pages';
import { shortName } from '../../transport/text';
import { shortPieceName } from './connection';

/** Those that are installed, as an array without pages (read in the service's source). */
const LIST_PIECES: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/pieces',
		rules: [
			// 0.73 reads every key as that of a project, and refuses it without one (recorded for other lists).
			when([hasStatus('conflict')], () =>
				keysRefused(
					'pieces cannot be listed',
					'Switch to By Name, and enter the name of the piece.',
				),
			),
		],
	},
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
export const pieceMissing = (name: string) =>
	[
		`The piece "${shortName(name)}" is not installed on this Activepieces server`,
		'Choose a piece from the list in Piece, or enter its whole name, such as @activepieces/piece-slack. If it is right, install the piece in Activepieces.',
	] as const;

export const getPieceName = (fields: FieldReader): string =>
	toFilledText(
		pieceLocator.displayName,
		locatorValue(fields.get('pieceName', '')),
		'Choose the piece from the list or enter its name.',
	);

/**
 * Checks that a piece is installed, where the service does not: it stores a connection of type None with any name, if
 * the request has a version (recorded). Where pieces cannot be listed, it is stored.
 *
 * @throws {ActivepiecesError} when the list does not have it
 */
export async function assertPiece(client: ApiClient, name: string): Promise<void> {
	const names = await client.once('names of pieces', async () => {
		const { data } = await fetchUnpagedList(client, LIST_PIECES).catch((error: unknown) => {
			if (isListRefused(error)) return { data: undefined };
			throw error;
		});
		return data && new Set(data.map((piece) => piece.name));
	});
	if (names?.has(name) === false) throw refusal(...pieceMissing(name));
}
