import type { Context } from '../context';
import { entityNotFound, refuseNul } from '../errors';
import { folderAnswer, platformOfFolder } from '../folderAnswers';
import { makeId } from '../ids';
import { RecordMaker } from '../make';

/** POST /v1/folders, DELETE /v1/folders/{id}. */
export function folderChangeRoutes(context: Context): void {
	const { auth, now, own, other, route, traits } = context;
	let made = 0;

	// An upsert: a folder with that name, ignoring case, is renamed and returned.
	route(
		'POST',
		'/v1/folders',
		(request) => {
			const { platform } = auth.projectOfBody(request, 'WRITE_FLOW');
			const { projectId, displayName } = request.body as { projectId: string; displayName: string };
			refuseNul(displayName);
			// Text is stored as UTF-8, in which a lone surrogate becomes U+FFFD.
			const name = Buffer.from(displayName).toString();
			const at = now();
			const found = platform.folders.find(
				(row) =>
					row.projectId === projectId && row.displayName.toLowerCase() === name.toLowerCase(),
			);
			if (found) {
				found.displayName = name;
				found.updated = at;
				return folderAnswer(platform, found, traits);
			}
			const id = makeId(`${projectId}/new folder`, made++);
			const make = new RecordMaker(traits, platform.admin);
			const folder = make.folder(id, projectId, name, at);
			platform.folders = [...platform.folders, folder];
			return folderAnswer(platform, folder, traits);
		},
		{
			body: {
				displayName: { type: 'string', required: true },
				projectId: { type: 'string', required: true },
			},
		},
	);

	// Its flows stay, without a folder, and with the same `updated`.
	route('DELETE', '/v1/folders/:id', (request, reply) => {
		const { id } = request.params as { id: string };
		refuseNul(id);
		const row = [...own.folders, ...other.folders].find((folder) => folder.id === id);
		const missing = entityNotFound({ message: `Folder ${id} is not found` });
		const folder = auth.rowOfPath(
			request,
			row,
			{ entityType: 'folder', user: missing },
			'WRITE_FLOW',
		);
		const data = platformOfFolder(folder, context);
		data.folders = data.folders.filter((each) => each !== folder);
		for (const flow of data.flows) if (flow.folderId === folder.id) flow.folderId = null;
		data.flows = [...data.flows];
		return reply.send();
	});
}
