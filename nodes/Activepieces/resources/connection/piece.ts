import type { IDataObject } from 'n8n-workflow';

import { inBrackets, type Locator, nameOf } from '../../descriptions/locator';
import { locatorValue, toFilledText } from '../../descriptions/parameters';
import type { FieldReader } from '../../execution/fieldReader';
import type { ApiRequest } from '../../transport/client/request';
import { hasStatus, when } from '../../transport/errors/rule';
import { keysRefused } from '../refusals';
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

export const getPieceName = (fields: FieldReader): string =>
	toFilledText(
		pieceLocator.displayName,
		locatorValue(fields.get('pieceName', '')),
		'Choose the piece from the list or enter its name.',
	);
