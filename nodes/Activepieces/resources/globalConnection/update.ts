import { choices, optionsField, textField } from '../../descriptions/fields';
import { locatorField, requestTarget } from '../../descriptions/locator';
import { toOption } from '../../descriptions/parameters';
import { toRecordName } from '../../descriptions/recordName';
import { getUpdate, updateFields } from '../../descriptions/updateFields';
import { requestRecord } from '../../transport/client/record';
import { validationError } from '../../transport/errors/error';
import { findInList } from '../../transport/lists/pages';
import { toId } from '../../transport/id';
import { textOf } from '../../transport/values';
import { recordOperation } from '../recordOperation';
import {
	globalConnectionLocator,
	LIST_GLOBAL_CONNECTIONS,
	simplifyGlobalConnection,
	unknownGlobalConnection,
	UPDATE_GLOBAL_CONNECTION,
	updateRequest,
} from './globalConnection';
import { assertProjects, PROJECTS, projectIdsOf, projectsField, toProjectIds } from './projects';

const projectChangeField = optionsField('Project Change', 'projectChange', {
	options: choices(
		['Add', 'add', 'These projects can use the connection, too'],
		['Remove', 'remove', 'These projects can no longer use the connection'],
		['Replace', 'replace', 'Only these projects can use the connection'],
	),
	default: 'add',
	description: 'What to do with Project Names or IDs. By default they are added.',
});

function toGivenProjects(value: unknown): string[] {
	const { displayName: label } = PROJECTS;
	const ids = toProjectIds(label, value);
	if (ids.length > 0) return ids;
	throw validationError(`${label} is empty`, 'Choose projects, or remove the field.');
}

const readers = {
	displayName: (value: unknown) => toRecordName('Name', value, 'connection'),
	projectChange: (value: unknown) => toOption(projectChangeField, value),
	projectIds: toGivenProjects,
};

function changed(now: string[], given: string[], change = 'add'): string[] {
	if (change === 'replace') return given;
	const others = now.filter((id) => !given.includes(id));
	return change === 'add' ? [...others, ...given] : others;
}

export const update = recordOperation({
	name: 'Update',
	value: 'update',
	description: 'Change the name or the projects of a connection that the platform shares',
	toolDescription:
		'Immediately changes the name of the global Activepieces connection with the given ID, or adds, removes or replaces the projects that can use it, and returns the connection',
	endpoint: UPDATE_GLOBAL_CONNECTION,
	properties: [
		locatorField(globalConnectionLocator),
		updateFields([
			textField('Name', 'displayName', { description: 'The new name' }),
			projectChangeField,
			projectsField('The projects to add, to remove, or to replace the others with'),
		]),
	],
	simplify: simplifyGlobalConnection,
	async record(context) {
		const { client } = context;
		const fields = getUpdate(context, readers, `Name or ${PROJECTS.displayName}`);
		const { displayName, projectChange, projectIds: given } = fields;
		if (projectChange !== undefined && given === undefined) {
			throw validationError(
				`${PROJECTS.displayName} is missing`,
				'Add it to Update Fields, or remove Project Change.',
			);
		}
		const target = requestTarget(context, globalConnectionLocator);
		const isTarget = ({ id }: { id?: unknown }) => toId(id) === toId(target.id);
		const now = await findInList(client, LIST_GLOBAL_CONNECTIONS, isTarget);
		if (now === undefined) throw unknownGlobalConnection(target);
		const own = projectIdsOf(now);
		const others = given?.filter((id) => !own.includes(id)) ?? [];
		if (others.length > 0) await assertProjects(client, others);
		const projectIds = given && changed(own, given, projectChange);
		const body = { displayName: displayName ?? textOf(now.displayName), projectIds };
		return await requestRecord(client, updateRequest(target.id, body));
	},
});
