import { LIST_USERS } from '../../resources/user/requests';
import { simplifyUser } from '../../resources/user/simplify';
import { limits } from '../../transport/limits';
import { fetchList } from '../../transport/paging/lists';
import { recordEvent } from '../eventKinds/recordEvent';
import { fetchAll } from '../eventKinds/watchedList';
import { toTime } from '../serviceTime';

export const userJoined = recordEvent({
	name: 'User Joined',
	value: 'userJoined',
	description: 'When someone joins the platform, for example by accepting an invitation',
	fields: ['simplify', 'options.maxItems'],
	watched: [],
	fetchRecords: async (context, query) => ({
		records: await fetchAll(context, LIST_USERS, {
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
		message: 'There is no user',
		description: 'Publish the n8n workflow (in n8n 1: activate it): it starts when someone joins.',
	},
});
