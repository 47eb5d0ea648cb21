import type { IDataObject } from 'n8n-workflow';

import {
	choice,
	named,
	optionalId,
	propertiesOf,
	readFields,
	shownFor,
} from '../../descriptions/field';
import { choices, namedOptions, numberField, optionsField } from '../../descriptions/fields';
import {
	filter,
	filtered,
	filtersField,
	getFilter,
	numberFilter,
} from '../../descriptions/filters';
import { getLimit, returnAllOrLimit } from '../../descriptions/listing';
import type { Locator } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiRequest } from '../../transport/client/request';
import { hasCode, hasStatus, says, when } from '../../transport/errors/rule';
import { fetchList } from '../../transport/lists/pages';
import { inProject } from '../../transport/lists/projects';
import { textOf } from '../../transport/values';
import { deleteOperation } from '../deleteOperation';
import type { Operation, Resource } from '../operation';
import { projectLocator } from '../project/project';
import { keysRefused } from '../refusals';
import { create } from './create';
import {
	FEATURE,
	invitationLocator,
	invitationsRequest,
	simplifyInvitation,
} from './userInvitation';

const DAY_MS = 24 * 60 * 60 * 1000;

const invitationsProject: Locator = {
	...projectLocator,
	description: 'The team project to get the invitations from. Personal projects have none.',
	hint: 'Leave empty for the invitations to all projects',
};

const statusFilter = filter(
	optionsField('Status', 'invitationStatus', {
		options: namedOptions('ACCEPTED', 'PENDING'),
		default: 'PENDING',
		description: 'Return only invitations with this status',
	}),
	'status',
);

const olderThanDays = numberFilter(
	numberField('Older Than (Days)', 'olderThanDays', {
		default: 14,
		description: 'Return only invitations created at least this many days ago',
	}),
);

const type = choice(
	optionsField('Type', 'type', {
		options: choices(
			['All', 'all', 'Invitations to the platform and to all projects'],
			['Platform', 'PLATFORM', 'Invitations to the platform'],
			['Project', 'PROJECT', 'Invitations to one project or to all projects'],
		),
		default: 'all',
		description: 'Which invitations to return',
	}),
);

const fields = { type, projectId: shownFor(type, 'PROJECT', optionalId(invitationsProject)) };

async function getRequests(context: OperationContext): Promise<ApiRequest[]> {
	const { type: of, projectId } = await readFields(context, fields);
	const lists = (of === 'all' ? (['PLATFORM', 'PROJECT'] as const) : [of]).map((each) =>
		filtered(context, invitationsRequest(each), [statusFilter]),
	);
	if (projectId === undefined) return lists;
	const { displayName: field } = invitationsProject;
	return lists.map((each) => inProject(each, { id: projectId, field }));
}

const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	description: 'Get the invitations to the platform and to projects',
	hint: 'Returns one item per invitation, grouped by type, oldest first',
	toolDescription:
		'Returns the invitations to the Activepieces platform and to projects, grouped by type, oldest first',
	endpoint: invitationsRequest('PLATFORM').endpoint,
	properties: [
		...propertiesOf(fields),
		...returnAllOrLimit,
		...outputFields,
		filtersField([olderThanDays, statusFilter]),
	],
	simplify: simplifyInvitation,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyInvitation);
		const limit = getLimit(context);
		const minimumDays = getFilter(context, olderThanDays);
		const records: IDataObject[] = [];
		// Both lists together have no more than an item may return.
		const seen = new Set<unknown>();
		for (const request of await getRequests(context)) {
			const found = await fetchList(client, request, {
				limit: limit - records.length,
				countOutput: context.countOutput,
				seen,
				mayDrop: minimumDays !== undefined,
				take(invitation, { date = Date.now() }) {
					const age = date - Date.parse(textOf(invitation.created));
					const isOld = minimumDays === undefined || age >= minimumDays * DAY_MS;
					return isOld ? output.transform(invitation) : undefined;
				},
			});
			for (const record of found) records.push(record);
			if (records.length >= limit) break;
		}
		return output.finish(records);
	},
};

const remove = deleteOperation({
	description: 'Permanently revoke a user invitation',
	hint: 'Revokes one invitation per input item. This cannot be undone.',
	toolDescription:
		'Permanently revokes the Activepieces user invitation with the given ID and returns {"deleted": true}',
	endpoint: {
		method: 'DELETE',
		path: '/v1/user-invitations/{id}',
		feature: FEATURE,
		rules: [
			// Up to 0.73 every API key is refused for project invitations with this text.
			when(
				[hasStatus('forbidden'), hasCode('AUTHORIZATION'), says(/project id is required/i)],
				({ record }) =>
					keysRefused(
						`${record} cannot be deleted`,
						'Deleting invitations to a project with an API key requires Activepieces 0.79 or later. Update Activepieces, or delete the invitation in Activepieces.',
					),
			),
		],
	},
	fields: { invitation: named(invitationLocator) },
});

export const userInvitation: Resource = {
	name: 'User Invitation',
	value: 'userInvitation',
	locators: [invitationLocator],
	operations: [getAll, create, remove],
};
