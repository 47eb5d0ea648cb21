import type { IDataObject } from 'n8n-workflow';

import { named, together, type Values } from '../../descriptions/field';
import { flag, recordName, text } from '../../descriptions/kinds';
import { nameOf } from '../../descriptions/locator';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest } from '../../transport/client/request';
import { refusal } from '../../transport/errors/error';
import { nameAndId, shortName } from '../../transport/texts';
import { textOf } from '../../transport/values';
import { assertPiece, connectionValue, pieceLocator } from './value';

/** Fields of a connection that is created or overwritten. */
export const connectionFields = {
	externalId: text('External ID', 'externalId', {
		required: true,
		placeholder: 'e.g. crm',
		description:
			'The ID by which flows refer to the connection. A connection of the same piece and type that has it is overwritten.',
	}),
	displayName: recordName('Name', 'connection', {
		placeholder: 'e.g. CRM',
		description: 'The name of the connection',
	}),
	pieceName: together({ piece: named(pieceLocator) }, ({ piece }) => textOf(piece.id)),
	value: connectionValue,
};

export const connectionOptions = {
	replaceOther: flag(
		'Replace Any Connection',
		'replaceOther',
		'Whether to also overwrite a connection of another piece or type. Its secret is lost.',
	),
	pieceVersion: text('Piece Version', 'pieceVersion', {
		placeholder: 'e.g. 0.5.2',
		description: 'The complete version of the piece. By default the newest that is installed.',
	}),
};

type ConnectionValues = Values<typeof connectionFields> & {
	options: Values<typeof connectionOptions>;
};

const WORKER_HINT =
	'Activepieces workers check the values of connections before they are stored. Check that a worker is running.';

type Wanted = Record<'pieceName' | 'type' | 'displayName', string>;

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
	const found = await client.fetchList(list, {
		convert: (each) => (each.externalId === externalId ? each : undefined),
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
		`It is for ${shortName(textOf(existing.pieceName))}, with type ${shortName(textOf(existing.type))}. Change External ID. To overwrite the connection anyway, turn on the option Replace Any Connection.`,
	);
}

/** What is kept of the connection that was there before. */
const stateOf = (connection?: IDataObject) => ({
	id: connection?.id ?? null,
	updated: connection?.updated ?? null,
});

type Stored = ReturnType<typeof stateOf>;

/** Whether the connection was stored since, as it is wanted. */
const isStored = (now: IDataObject, before: Stored, wanted: Wanted): boolean =>
	(now.id !== before.id || now.updated !== before.updated) &&
	(['displayName', 'pieceName', 'type'] as const).every((name) => now[name] === wanted[name]);

interface Upsert {
	list: ApiRequest;
	scope: 'PLATFORM' | 'PROJECT';
	/** The request for a new connection, or for one that exists */
	request: (existing: IDataObject | undefined) => ApiRequest;
	values: ConnectionValues;
}

/**
 * Creates the connection with an external ID, or overwrites it. After a lost response it looks whether the
 * connection was stored: the service stores it even when nobody waits any more (recorded).
 */
export async function upsertConnection(
	{ client, showHint }: OperationContext,
	{ list, scope, request, values }: Upsert,
): Promise<IDataObject> {
	const { externalId, displayName, pieceName, value } = values;
	const { pieceVersion, replaceOther } = values.options;
	const hasVersion = pieceVersion !== '';
	const needsSecret = value.type !== 'NO_AUTH';
	const body = {
		...{ externalId, displayName, pieceName, type: value.type, value },
		...(hasVersion ? { pieceVersion } : {}),
	};
	if (hasVersion && !needsSecret) await assertPiece(client, pieceName);
	const find = async () => await fetchByExternalId(client, list, scope, externalId);
	const { own: existing, other } = await find();
	return await client.makeChange({
		idempotency: {
			key: [textOf(list.query?.projectId), externalId],
			change: `the connection "${shortName(externalId)}" was stored`,
			lookIn: 'the connections',
			before: stateOf(existing),
			// One that exists is overwritten again. A new one would be a second one, if a request still waits for a
			// worker (recorded).
			isIdempotent: existing !== undefined,
		},
		async find(before: Stored) {
			const { own: now } = await find();
			return now && isStored(now, before, body) ? now : undefined;
		},
		async send() {
			if (existing !== undefined && !replaceOther) assertAlike(existing, body);
			if (other !== undefined && scope === 'PROJECT') {
				showHint(
					`The project also has the global connection ${nameAndId(nameOf(other), textOf(other.id))} with this external ID, and its flows may use either. Remove the project from the global connection, or change External ID.`,
				);
			}
			const { subject, body: placed, ...sent } = request(existing);
			const delayedBy = needsSecret ? WORKER_HINT : undefined;
			return await client.requestRecord({
				...sent,
				subject: { ...subject, delayedBy },
				body: { ...body, ...placed },
			});
		},
	});
}
