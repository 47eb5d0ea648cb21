import type { Simplify } from '../../descriptions/output';
import { limits } from '../../transport/limits';
import { fetchList } from '../../transport/lists';
import type { ApiRequest } from '../../transport/request';
import { recordEvent } from '../eventKinds/recordEvent';
import { fetchOneList } from '../eventKinds/watchedList';
import { toTime } from '../serviceTime';

const LIST_USERS: ApiRequest = {
	method: 'GET',
	path: '/v1/users',
	subject: { noun: 'users' },
};

/** The fields of a user that a person reads. Missing fields are null. */
export const simplifyUser: Simplify = (user) => ({
	id: user.id ?? null,
	email: user.email ?? null,
	firstName: user.firstName ?? null,
	lastName: user.lastName ?? null,
	platformRole: user.platformRole ?? null,
	status: user.status ?? null,
	externalId: user.externalId || null,
	created: user.created ?? null,
	lastActiveDate: user.lastActiveDate || null,
});

export const userJoined = recordEvent({
	name: 'User Joined',
	value: 'userJoined',
	description: 'When someone joins the platform, for example by accepting an invitation',
	fields: ['simplify', 'options.maxItems'],
	watched: [],
	fetchRecords: async (context, query) => ({
		records: await fetchOneList(context, LIST_USERS, {
			...query,
			// The service lists the newest first (recorded), and a platform may have any number of users.
			async read(request, collector) {
				const { transform } = collector;
				const stopAtOld: typeof transform = (user) => {
					const created = toTime(user.created);
					if (created > 0 && created <= query.settledUntil()) collector.aborted = true;
					return transform(user);
				};
				collector.transform = stopAtOld;
				await fetchList(context.client, request, limits.defaultPageSize, collector);
			},
		}),
	}),
	timeOf: ({ created }) => created,
	simplify: simplifyUser,
	// The first record of the list is the newest.
	exampleLimit: 1,
	noExample: {
		message: 'There are no users yet',
		description: 'Publish the n8n workflow (activate it in n8n 1). It starts when someone joins.',
	},
});
