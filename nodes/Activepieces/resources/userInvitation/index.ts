import { named, optionalId, shownFor } from '../../descriptions/field';
import { choice, wholeNumber } from '../../descriptions/kinds';
import type { Locator } from '../../descriptions/locator';
import { projectLocator } from '../../descriptions/project';
import { inProject } from '../../transport/client/request';
import { textOf } from '../../transport/values';
import { deleteOperation, listOperation, type Resource } from '../operation';
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

const status = choice('Status', 'invitationStatus', {
	options: ['ACCEPTED', 'PENDING'],
	default: 'PENDING',
	description: 'Return only invitations with this status',
});

const olderThanDays = wholeNumber('Older Than (Days)', 'olderThanDays', {
	default: 14,
	description: 'Return only invitations created at least this many days ago',
});

const type = choice('Type', 'type', {
	options: [
		['All', 'all', 'Invitations to the platform and to all projects'],
		['Platform', 'PLATFORM', 'Invitations to the platform'],
		['Project', 'PROJECT', 'Invitations to one project or to all projects'],
	],
	default: 'all',
	description: 'Which invitations to return',
});

const getAll = listOperation({
	description: 'Get the invitations to the platform and to projects',
	hint: 'Returns one item per invitation, grouped by type, oldest first',
	toolDescription:
		'Returns the invitations to the Activepieces platform and to projects, grouped by type, oldest first',
	request: invitationsRequest('PLATFORM'),
	fields: { type, projectId: shownFor(type, 'PROJECT', optionalId(invitationsProject)) },
	lists(request, { type: chosen, projectId: id }) {
		const requests = (chosen === 'all' ? ['PLATFORM', 'PROJECT'] : [chosen]).map((each) => ({
			...request,
			query: { ...request.query, type: each },
		}));
		const { displayName: field } = invitationsProject;
		return id === undefined ? requests : requests.map((each) => inProject(each, { id, field }));
	},
	filters: { olderThanDays, status },
	simplify: simplifyInvitation,
	// The service filters by status only.
	select: ({ olderThanDays: days, ...query }) => ({
		query,
		mayDrop: days !== undefined,
		convert(invitation, { date = Date.now() }) {
			const age = date - Date.parse(textOf(invitation.created));
			return days === undefined || age >= Number(days) * DAY_MS ? invitation : undefined;
		},
	}),
});

const remove = deleteOperation({
	description: 'Permanently revoke a user invitation',
	hint: 'Revokes one invitation per input item. This cannot be undone.',
	toolDescription:
		'Permanently revokes the Activepieces user invitation with the given ID and returns {"deleted": true}',
	endpoint: {
		method: 'DELETE',
		path: '/v1/user-invitations/{id}',
		worksOn073: true,
		feature: FEATURE,
	},
	fields: { invitation: named(invitationLocator) },
});

export const userInvitation: Resource = {
	name: 'User Invitation',
	value: 'userInvitation',
	locators: [invitationLocator],
	operations: [getAll, create, remove],
};
