import type { FastifyRequest } from 'fastify';

import type { Context } from '../context';
import { FrameworkError, refuseNul } from '../errors';
import { makeId } from '../ids';
import { RecordMaker } from '../make';

/** The response for an unknown folder ID in a column (har/enterprise-*, b/7, b/10, b/31 and b/33). */
function unknownFolder(): FrameworkError {
	const message =
		'insert or update on table "flow" violates foreign key constraint "fk_flow_folder_id"';
	return new FrameworkError(500, message, '23503');
}

/** A folder of any project is accepted (har/enterprise-*, b/8 and b/32). */
export function checkFolder({ own, other }: Context, folderId: string | null | undefined): void {
	if (!folderId) return;
	refuseNul(folderId);
	const folders = [...own.folders, ...other.folders];
	if (!folders.some(({ id }) => id === folderId)) throw unknownFolder();
}

/** The user of a session; null for a key. */
export function userOf({ auth }: Context, request: FastifyRequest): string | null {
	const principal = auth.authenticate(request);
	return principal.type === 'USER' ? principal.user.id : null;
}

/** POST /v1/flows. */
export function flowCreationRoute(context: Context): void {
	const { auth, now, route, traits } = context;
	let made = 0;

	// Any name is accepted, even an empty one (har/enterprise-*, b/1 to b/22).
	route(
		'POST',
		'/v1/flows',
		(request, reply) => {
			const { platform } = auth.projectOfBody(request, 'WRITE_FLOW');
			const { projectId, displayName, folderId } = request.body as {
				projectId: string;
				displayName: string;
				folderId?: string;
			};
			refuseNul(displayName);
			checkFolder(context, folderId);
			const at = now();
			const id = makeId(`${projectId}/created flow`, made++);
			const flow = new RecordMaker(traits, platform.admin).flow({
				id,
				index: made,
				projectId,
				folderId: folderId || null,
				// Text is stored as UTF-8, in which a lone surrogate becomes U+FFFD.
				name: Buffer.from(displayName).toString(),
				externalId: makeId(`${id}/external`),
				enabled: false,
				created: at,
				updated: at,
				ownerId: userOf(context, request) ?? undefined,
			});
			Object.assign(flow.version, { id: makeId(`${id}/version`), valid: false });
			platform.flows = [...platform.flows, flow];
			return reply.status(201).send(flow);
		},
		{
			body: {
				displayName: { type: 'string', required: true },
				projectId: { type: 'string', required: true },
				folderId: { type: 'string' },
			},
		},
	);
}
