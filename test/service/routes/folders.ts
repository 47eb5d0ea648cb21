import type { FastifyRequest } from 'fastify';

import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byCreated } from '../cursor';
import { conflict, refuseNul } from '../errors';
import { folderAnswer, platformOfFolder } from '../folderAnswers';
import { paginate } from '../list';
import type { FolderRecord, ServiceData } from '../records';

/** GET /v1/folders, GET and POST /v1/folders/{id}. */
export function folderRoutes(context: Context): void {
	const { auth, now, own, other, route, traits } = context;

	const answer = (data: ServiceData, folder: FolderRecord) => folderAnswer(data, folder, traits);
	const platformOf = (folder: FolderRecord) => platformOfFolder(folder, context);
	const find = (id: string) => {
		refuseNul(id);
		return [...own.folders, ...other.folders].find((folder) => folder.id === id);
	};
	const folderOf = (request: FastifyRequest, permission: 'READ_FLOW' | 'WRITE_FLOW') =>
		auth.folderOfPath(request, find, permission);

	route(
		'GET',
		'/v1/folders',
		(request) => {
			const { platform } = auth.projectOfQuery(request, 'READ_FLOW');
			const { projectId } = request.query as { projectId: string };
			const isOfProject = (folder: FolderRecord) => folder.projectId === projectId;
			const page = paginate(platform.folders, isOfProject, pageRequest(request), byCreated);
			const data = page.data.map((folder) => {
				const item = answer(platform, folder);
				return traits.folderCountsAsText
					? { ...item, numberOfFlows: String(item.numberOfFlows) }
					: item;
			});
			return { ...page, data };
		},
		{ query: { projectId: { type: 'string', required: true }, ...PAGE_FIELDS } },
	);

	route('GET', '/v1/folders/:id', (request) => {
		const folder = folderOf(request, 'READ_FLOW');
		return answer(platformOf(folder), folder);
	});

	route(
		'POST',
		'/v1/folders/:id',
		(request) => {
			const folder = folderOf(request, 'WRITE_FLOW');
			const data = platformOf(folder);
			const { displayName } = request.body as { displayName: string };
			refuseNul(displayName);
			const isUsed = data.folders.some(
				(other) =>
					other.id !== folder.id &&
					other.projectId === folder.projectId &&
					other.displayName.toLowerCase() === displayName.toLowerCase(),
			);
			if (isUsed) throw conflict('Folder displayName is used');
			// Text is stored as UTF-8, in which a lone surrogate becomes U+FFFD.
			folder.displayName = Buffer.from(displayName).toString();
			folder.updated = now();
			return answer(data, folder);
		},
		{ body: { displayName: { type: 'string', required: true } } },
	);
}
