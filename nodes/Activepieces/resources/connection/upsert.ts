import type { IDataObject, INodeProperties } from 'n8n-workflow';

import {
	booleanField,
	choices,
	nameField,
	optionsField,
	pairsField,
	textField,
} from '../../descriptions/fields';
import { locatorField, nameOf } from '../../descriptions/locator';
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
import type { ApiClient } from '../../transport/client/client';
import { orFoundAfterLoss, requestRecord } from '../../transport/client/record';
import type { ApiRequest } from '../../transport/client/request';
import { rowsOf } from '../../transport/credential/headers';
import { validationError } from '../../transport/errors/error';
import { MIN_CHOSEN_LENGTH } from '../../transport/http/redact';
import { fetchList } from '../../transport/lists/pages';
import { nameAndId, shortName } from '../../transport/text';
import { recordOf, textOf } from '../../transport/values';
import { refusal, unconfirmed } from '../refusals';
import { assertPiece, getPieceName, pieceLocator } from './connection';

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

type ReadConnection = ReturnType<typeof readConnection>;

const WORKER_HINT =
	'Activepieces workers check the values of connections before they are stored. Check that a worker is running.';

type Wanted = ReadConnection['body'];

/**
 * The connection with an external ID, which the service itself would overwrite without a question, and one of the other
 * scope.
 *
 * @throws {ActivepiecesError} when several have it, of which the service overwrites any (recorded)
 */
async function fetchByExternalId(
	client: ApiClient,
	list: ApiRequest,
	scope: string,
	externalId: string,
) {
	const found = await fetchList(client, list, {
		take: (each) => (each.externalId === externalId ? each : undefined),
		mayDrop: true,
	});
	const own = found.filter((each) => each.scope === scope);
	if (own.length < 2) return { own: own.at(0), other: found.find((each) => each.scope !== scope) };
	throw refusal(
		`${own.length} connections have the external ID "${shortName(externalId)}"`,
		'Activepieces would overwrite any of them. Delete the others first.',
	);
}

function assertAlike(existing: IDataObject, { pieceName, type }: Wanted): void {
	// One without a secret, which a project release left to be filled in, has type None (recorded).
	const isAlike = existing.type === type || existing.status === 'MISSING';
	if (existing.pieceName === pieceName && isAlike) return;
	throw refusal(
		`The connection ${nameAndId(nameOf(existing), textOf(existing.id))} with this external ID is for another piece or of another type`,
		`It is for ${shortName(textOf(existing.pieceName))}, with type ${shortName(textOf(existing.type))}. Change External ID. To overwrite the connection anyway, turn on Replace Any Connection under Options.`,
	);
}

/** What is kept of the connection that was there before. */
const stateOf = (connection?: IDataObject) => ({
	id: connection?.id ?? null,
	updated: connection?.updated ?? null,
});

/** Whether the connection was stored since, as it is wanted. */
const isStored = (now: IDataObject, before: IDataObject, wanted: Wanted): boolean =>
	(now.id !== before.id || now.updated !== before.updated) &&
	(['displayName', 'pieceName', 'type'] as const).every((name) => now[name] === wanted[name]);

interface Upsert {
	list: ApiRequest;
	scope: 'PLATFORM' | 'PROJECT';
	/** The request for a new connection, or for one that exists */
	request: (existing: IDataObject | undefined) => ApiRequest;
	connection: ReadConnection;
}

/**
 * Creates the connection with an external ID, or overwrites it. After a lost response it looks whether the
 * connection was stored: the service stores it even when nobody waits any more (recorded).
 */
export async function upsertConnection(
	{ client, tried, showHint }: OperationContext,
	{ list, scope, request, connection }: Upsert,
): Promise<IDataObject> {
	const { body, replaceOther } = connection;
	const { externalId } = body;
	if (body.type === 'NO_AUTH' && 'pieceVersion' in body) await assertPiece(client, body.pieceName);
	const find = async () => await fetchByExternalId(client, list, scope, externalId);
	const { own: existing, other } = await find();
	const place = textOf(list.query?.projectId);
	const before = tried.keepBefore({ externalId, place, ...stateOf(existing) });
	if (tried.isInDoubt) {
		const isOther = before.externalId !== externalId || before.place !== place;
		// A request that still waits for a worker would make a second connection (recorded).
		if (isOther || existing === undefined) {
			throw unconfirmed(
				`the connection "${shortName(textOf(before.externalId))}" was stored`,
				'the connections',
				'to store it failed without a clear result',
			);
		}
		if (isStored(existing, before, body)) return existing;
	}
	if (existing !== undefined && !replaceOther) assertAlike(existing, body);
	if (other !== undefined && scope === 'PROJECT') {
		showHint(
			`The project also has the global connection ${nameAndId(nameOf(other), textOf(other.id))} with this external ID, and its flows may use either. Remove the project from the global connection, or change External ID.`,
		);
	}
	const { subject, body: placed, ...sent } = request(existing);
	const delayedBy = body.type === 'NO_AUTH' ? undefined : WORKER_HINT;
	const stored = requestRecord(client, {
		...sent,
		subject: { ...subject, delayedBy },
		body: { ...body, ...placed },
	});
	return await orFoundAfterLoss(client, stored, async () => {
		const { own: now } = await find().catch(() => ({ own: undefined }));
		return now && isStored(now, stateOf(existing), body) ? now : undefined;
	});
}
