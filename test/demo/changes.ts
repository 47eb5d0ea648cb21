import type { IDataObject } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { Deviation, holds, same, sameRecords } from './check';
import { heading, result, table } from './print';
import type { Stage } from './stage';

const deleted = (items: IDataObject[]) => same('What Delete gives', items, [{ deleted: true }]);

/** Checks that of `before` exactly the record with this id is gone. */
function onlyGone<Row extends { id: string }>(what: string, id: string, before: Row[], now: Row[]) {
	const idsOf = (rows: Row[]) => rows.map((row) => row.id);
	holds(`The service still has the ${what} ${id}`, !idsOf(now).includes(id));
	const others = idsOf(before).filter((each) => each !== id);
	same(`Which ${what}s the service has left`, idsOf(now), others);
}

/** Renames a folder, and reads it before and after. */
export async function renameFolder({ service, run }: Stage): Promise<void> {
	heading('Rename a folder', 'Folder → Get, Update, Get');
	const { id, displayName: oldName, projectId } = service.data.folders[0];
	const newName = `${oldName} 2027`;
	const project = service.data.projects.find((each) => each.id === projectId)?.displayName ?? '';
	const names = () => service.data.folders.map((each) => [each.id, each.displayName]);
	const stored = () => service.data.folders.find((each) => each.id === id)?.displayName;
	const folder = { resource: 'folder', folderId: byId(id) };
	const named = (name: string) => (items: IDataObject[]) => {
		same('Name that the node gives', items[0]?.displayName, name);
		same('Name that the service holds', stored(), name);
	};

	const renamed = names().map(([each, name]) => [each, each === id ? newName : name]);

	const before = await run(service, { ...folder, operation: 'get' }, named(oldName));
	const heldBefore = stored() ?? '';
	const change = { ...folder, operation: 'update', displayName: newName };
	const update = await run(service, change, named(newName));
	const after = await run(service, { ...folder, operation: 'get' }, named(newName));
	same('Names of all folders', names(), renamed);

	result(`A folder of the project ${project} has its new name`, update);
	const row = (when: string, name: string, [item]: IDataObject[]) => ({
		'as the service holds it': when,
		name,
		flows: Number(item.numberOfFlows),
	});
	table([row('before', heldBefore, before.items), row('after', stored() ?? '', after.items)]);
}

/** Deletes the first template of the list, and asks for the list again. */
export async function deleteTemplate({ service, run }: Stage): Promise<void> {
	heading('Delete a flow template', 'Flow Template → Get Many, Delete, Get Many');
	const list = { resource: 'flowTemplate', operation: 'getAll', returnAll: true };
	const verifyList = (items: IDataObject[]) =>
		sameRecords('templates', items, service.data.templates, ({ name }) => ({ name }));

	const before = await run(service, list, verifyList);
	const held = [...service.data.templates];
	const [template] = before.items;
	const id = String(template.id);
	const gone = await run(
		service,
		{ resource: 'flowTemplate', operation: 'delete', templateId: byId(id) },
		(items) => {
			deleted(items);
			onlyGone('template', id, held, service.data.templates);
		},
	);
	const after = await run(service, list, verifyList);
	result(`"${String(template.name)}" is deleted, and the service no longer has it`, gone);
	result(
		`The list now has ${after.items.length} templates instead of ${before.items.length}`,
		after,
	);
}

/** Takes an invitation back that is picked by e-mail address, as a person does in the editor. */
export async function takeBackInvitation({ engine, service, run }: Stage): Promise<void> {
	heading('Take back an invitation', 'User Invitation → Delete, picked from the list');
	const held = [...service.data.invitations];
	const invited = held.find(({ status }) => status === 'PENDING');
	if (!invited) throw new Deviation('The stand-in has no pending invitation');

	const { baseUrl, apiKey } = service;
	const { results } = await engine.search('searchInvitations', {
		credential: { baseUrl, apiKey },
		filter: invited.email,
	});
	same(
		`What the list finds for ${invited.email}`,
		results.map(({ value }) => value),
		[invited.id],
	);
	const [{ name, value }] = results;
	const gone = await run(
		service,
		{
			resource: 'userInvitation',
			operation: 'delete',
			invitationId: { __rl: true, mode: 'list', value, cachedResultName: name },
		},
		(items) => {
			deleted(items);
			onlyGone('invitation', invited.id, held, service.data.invitations);
		},
	);
	result(`${name} is taken back: ${held.length} → ${service.data.invitations.length}`, gone);
}
