import type { ApiRequest } from '../../transport/request';
import { simplifyUser } from './simplifyUser';
import { recordEvent } from '../eventKinds/recordEvent';
import { fetchAll } from '../eventKinds/watchedList';

const USERS: ApiRequest = { method: 'GET', path: '/v1/users', subject: { noun: 'users' } };

export const userJoined = recordEvent({
	name: 'User Joined',
	value: 'userJoined',
	description: 'When somebody has joined the platform, for example by accepting an invitation',
	fields: ['simplify', 'options.maxItems'],
	watched: [],
	list: async (context, query) => ({ records: await fetchAll(context, USERS, query) }),
	timeOf: ({ created }) => created,
	simplify: simplifyUser,
	// The service lists the newest first.
	exampleLimit: 1,
	noExample: {
		message: 'There is no user',
		description: 'Activate the workflow: it starts when somebody joins.',
	},
});
