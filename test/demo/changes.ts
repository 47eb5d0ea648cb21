import { byId } from '../engine/harness/byId';
import { deepEqual, type Demo, show } from './demo';

const idsOf = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id).sort();

export async function renameFolder({ service, run }: Demo): Promise<void> {
	const [{ id, displayName: oldName }, ...others] = structuredClone(service.data.folders);
	const name = `${oldName} 2027`;
	const folder = { resource: 'folder', folderId: byId(id) };
	const [before] = await run({ ...folder, operation: 'get' });
	await run({ ...folder, operation: 'update', displayName: name });
	const [after] = await run({ ...folder, operation: 'get' });
	const [renamed, ...rest] = service.data.folders;
	deepEqual([before.name, after.name, renamed.displayName], [oldName, name, name]);
	deepEqual(rest, others);
	show('Folder → Get, Update, Get', `"${oldName}" has become "${name}", and nothing else changed`);
}

export async function deleteTemplate({ service, run }: Demo): Promise<void> {
	const template = { resource: 'flowTemplate' };
	const [first, ...others] = await run({ ...template, operation: 'getAll', returnAll: true });
	const deleted = await run({ ...template, operation: 'delete', templateId: byId(first.id) });
	deepEqual(deleted, [{ deleted: true }]);
	deepEqual(idsOf(service.data.templates), idsOf(others));
	const name = String(first.name);
	show('Flow Template → Get Many, Delete', `"${name}" is deleted, ${others.length} are left`);
}

/** Selects the invitation by email address, as in the editor. */
export async function revokeInvitation({ engine, service, run }: Demo): Promise<void> {
	const [invited, ...others] = service.data.invitations;
	const { baseUrl, apiKey } = service;
	const options = { credential: { baseUrl, apiKey }, filter: invited.email };
	const { results } = await engine.search('searchInvitations', options);
	const [{ name, value }] = results;
	deepEqual([results.length, value], [1, invited.id]);
	const invitationId = { __rl: true, mode: 'list', value, cachedResultName: name };
	const deleted = await run({ resource: 'userInvitation', operation: 'delete', invitationId });
	deepEqual(deleted, [{ deleted: true }]);
	deepEqual(idsOf(service.data.invitations), idsOf(others));
	show('User Invitation → Delete', `${name} is revoked, ${others.length} are left`);
}
