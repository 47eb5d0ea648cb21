import type { IDataObject } from 'n8n-workflow';

import { nameOf } from '../../descriptions/locator';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import type { ApiRequest } from '../../transport/client/request';
import { orFoundAfterLoss, requestRecord } from '../../transport/client/record';
import { fetchList } from '../../transport/lists/pages';
import { nameAndId, shortName } from '../../transport/text';
import { textOf } from '../../transport/values';
import { refusal, unconfirmed } from '../refusals';
import type { ReadConnection } from './connectionFields';
import { assertPiece } from './piece';

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
