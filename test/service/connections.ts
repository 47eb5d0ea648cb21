import { z } from 'zod/v4';

import type { KnownPrincipal } from './auth';
import type { Context } from './context';
import { ApplicationError, conflict, entityNotFound, FrameworkError } from './errors';
import { makeId } from './ids';
import { RecordMaker } from './make';
import { CHECKED, refusalOf } from './pieces';
import type { ConnectionRecord, ServiceData } from './records';
import { boolean, object, required, text } from './schema';

const TEXT = required(text);
const SECRET = z.string().min(1);
const CODE = { client_id: TEXT, code: SECRET, scope: TEXT };

/** The values by their type */
const VALUES = {
	SECRET_TEXT: { secret_text: SECRET },
	PLATFORM_OAUTH2: { ...CODE, redirect_url: TEXT },
	CLOUD_OAUTH2: CODE,
	OAUTH2: { ...CODE, client_secret: SECRET, redirect_url: TEXT },
	CUSTOM_AUTH: { props: required(object) },
	BASIC_AUTH: { username: TEXT, password: TEXT },
	NO_AUTH: {},
};

/** The body of an upsert: the fields of every type, and a value of its type. */
const bodyOf = <Fields extends z.ZodRawShape>(fields: Fields) => {
	const [first, ...others] = Object.entries(VALUES).map(([name, value]) => {
		const type = z.literal(name);
		return z.object({
			displayName: TEXT,
			pieceName: TEXT,
			pieceVersion: text,
			metadata: object,
			type,
			value: z.object({ ...value, type }),
			...fields,
		});
	});
	return z.union([first, ...others]);
};

export const UPSERT = bodyOf({ projectId: TEXT, externalId: TEXT });
export const UPSERT_GLOBAL = bodyOf({
	scope: z.literal('PLATFORM'),
	projectIds: z.array(TEXT),
	externalId: text,
	preSelectForNewProjects: boolean,
});

type Sent = Omit<z.infer<typeof UPSERT>, 'externalId' | 'projectId'> & {
	externalId?: string;
	preSelectForNewProjects?: boolean;
};

interface Place {
	platform: ServiceData;
	scope: 'PLATFORM' | 'PROJECT';
	projectIds: readonly string[];
}

/** What responses and events show of a connection: lists add its owner and its flows. */
export const connectionAnswer = (row: ConnectionRecord) => ({
	...row,
	owner: undefined,
	flowIds: undefined,
});

/** The person whose name a change bears: with a key the owner of the platform. */
export const authorOf = (principal: KnownPrincipal) =>
	principal.type === 'USER' ? principal.user : principal.platform.admin;

/** 500 of TypeORM, for a connection that an update does not find. */
export function noEntity(where: Record<string, unknown>): FrameworkError {
	const text = JSON.stringify(where, null, 4);
	return new FrameworkError(
		500,
		`Could not find any entity of type "app_connection" matching: ${text}`,
	);
}

/** Creates and overwrites connections. Their values are checked, and kept nowhere. */
export function connectionUpserts({ flowChanges, now, traits, waits }: Context) {
	let made = 0;

	/** The version of its piece, when a worker has checked the value. */
	async function checked({ platform }: Place, sent: Sent): Promise<string> {
		const { pieceName, pieceVersion, type, value } = sent;
		const isFull = pieceVersion === undefined || /^\d+\.\d+\.\d+$/.test(pieceVersion);
		if (!isFull) throw conflict('Invalid piece version');
		const isChecked = CHECKED.some((each) => each === type);
		if (!isChecked && pieceVersion !== undefined) return pieceVersion;
		const piece = platform.pieces.find(({ name }) => name === pieceName);
		if (!piece) {
			throw entityNotFound({ message: `piece_metadata_not_found pieceName=${pieceName}` });
		}
		if (isChecked) {
			await flowChanges.worker.ready();
			const error = refusalOf(pieceName, value);
			if (error !== undefined) throw new ApplicationError(400, 'INVALID_APP_CONNECTION', { error });
		}
		return pieceVersion ?? piece.version;
	}

	/**
	 * Overwrites the first connection with its external ID whose projects include all of these, whatever
	 * it is for, or makes one (recorded).
	 */
	return async (principal: KnownPrincipal, place: Place, sent: Sent) => {
		const { platform, scope, projectIds } = place;
		const pieceVersion = await checked(place, sent);
		const { externalId, displayName, pieceName, type, metadata } = sent;
		const rows = scope === 'PLATFORM' ? 'connections' : 'projectConnections';
		const found = platform[rows].find(
			(row) =>
				row.externalId === externalId && projectIds.every((id) => row.projectIds.includes(id)),
		);
		// Nothing is unique in the database: creates at once make several records (recorded).
		await waits.after(5);
		const at = now();
		const owner = authorOf(principal);
		const id = makeId(`${platform.platformId}/connection of ${at}`, made);
		const row =
			found ??
			new RecordMaker(traits, platform.admin).connection({
				id,
				index: made++,
				displayName,
				externalId: externalId ?? makeId(`${id}/external`),
				created: at,
				projectIds: [...projectIds],
				scope,
			});
		Object.assign(row, { displayName, pieceName, pieceVersion, type, projectIds: [...projectIds] });
		Object.assign(row, { owner, ownerId: owner.id, status: 'ACTIVE', updated: at });
		// Global ones have no metadata, whatever is sent (recorded).
		if (metadata !== undefined && scope === 'PROJECT') row.metadata = metadata;
		// Kept when it is left out, like metadata (read in the service's source).
		const { preSelectForNewProjects } = sent;
		if (preSelectForNewProjects !== undefined)
			row.preSelectForNewProjects = preSelectForNewProjects;
		if (!found) platform[rows] = [...platform[rows], row];
		return connectionAnswer(row);
	};
}
