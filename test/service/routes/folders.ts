import type { FastifyRequest } from 'fastify';

import { locate, type Context } from '../context';
import { byCreated } from '../cursor';
import { conflict } from '../errors';
import { flowsOfFolder } from '../flowIndex';
import { makeId } from '../ids';
import { paged, paginate } from '../list';
import { RecordMaker } from '../make';
import type { FolderRecord, ServiceData } from '../records';
import type { Permission } from '../roles';
import { required, shape, text } from '../schema';

/** Text is stored as UTF-8, in which a lone surrogate becomes U+FFFD. */
export const stored = (name: string): string => Buffer.from(name).toString();

const PATH = '/v1/folders/:id';
const LIST = paged({ projectId: required(text) });
const UPDATE = shape({ displayName: required(text) });
const CREATE = UPDATE.extend({ projectId: required(text) });

/** A folder of a project with that name, ignoring case. */
const named = ({ folders }: ServiceData, projectId: string, name: string) =>
	folders.find(
		(row) => row.projectId === projectId && row.displayName.toLowerCase() === name.toLowerCase(),
	);

/** The folder of a project with that name, which is made if there is none. */
export function folderOf(
	{ now, traits }: Context,
	platform: ServiceData,
	projectId: string,
	name: string,
): FolderRecord {
	const found = named(platform, projectId, name);
	if (found) return found;
	const id = makeId(`${projectId}/new folder ${name}`, platform.folders.length);
	const folder = new RecordMaker(traits, platform.admin).folder(id, projectId, name, now());
	platform.folders = [...platform.folders, folder];
	return folder;
}

/** GET and POST /v1/folders; GET, POST and DELETE /v1/folders/{id}. */
export function folderRoutes(context: Context): void {
	const { auth, now, route, traits } = context;

	const answer = ({ flows }: ServiceData, folder: FolderRecord) => ({
		...folder,
		numberOfFlows: flowsOfFolder(flows, folder.id).length,
		...(traits.newFields ? { numberOfTables: 0 } : {}),
	});

	const folderOfPath = (request: FastifyRequest, permission: Permission) => {
		const { id } = request.params as { id: string };
		const { data, row } = locate(context, ({ folders }) => folders, id);
		return { data, folder: auth.rowOfPath(request, row, 'folder', permission) };
	};

	route('GET', '/v1/folders', { query: LIST }, (request) => {
		const { platform } = auth.namedProject(request, 'READ_FLOW');
		const isOfProject = (row: FolderRecord) => row.projectId === request.query.projectId;
		const page = paginate(request, platform.folders, isOfProject, byCreated);
		const data = page.data.map((folder) => {
			const item = answer(platform, folder);
			// A text before 0.75.
			return traits.old ? { ...item, numberOfFlows: String(item.numberOfFlows) } : item;
		});
		return { ...page, data };
	});

	// An upsert: a folder with that name, ignoring case, is renamed and returned.
	route('POST', '/v1/folders', { body: CREATE }, (request) => {
		const { platform } = auth.namedProject(request, 'WRITE_FLOW');
		const { projectId, displayName } = request.body;
		const name = stored(displayName);
		const found = named(platform, projectId, name);
		if (found) Object.assign(found, { displayName: name, updated: now() });
		return answer(platform, found ?? folderOf(context, platform, projectId, name));
	});

	route('GET', PATH, {}, (request) => {
		const { data, folder } = folderOfPath(request, 'READ_FLOW');
		return answer(data, folder);
	});

	route('POST', PATH, { body: UPDATE }, (request) => {
		const { data, folder } = folderOfPath(request, 'WRITE_FLOW');
		const { displayName } = request.body;
		const others = { ...data, folders: data.folders.filter((row) => row !== folder) };
		if (named(others, folder.projectId, displayName)) throw conflict('Folder displayName is used');
		Object.assign(folder, { displayName: stored(displayName), updated: now() });
		return answer(data, folder);
	});

	// Its flows stay, without a folder, and with the same `updated`.
	route('DELETE', PATH, {}, (request, reply) => {
		const { data, folder } = folderOfPath(request, 'WRITE_FLOW');
		data.folders = data.folders.filter((each) => each !== folder);
		for (const flow of data.flows) if (flow.folderId === folder.id) flow.folderId = null;
		data.flows = [...data.flows];
		return reply.send();
	});
}
