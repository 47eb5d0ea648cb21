import { find, type ResourceFacts } from './facts';

export const user: ResourceFacts = {
	records: ({ users }) => users,
	output: {
		title: 'User',
		events: 'User Joined',
		fields: {
			email: 'Email of the user',
			firstName: 'First name',
			lastName: 'Last name',
			status: '`ACTIVE` or `INACTIVE`',
			platformRole: '`ADMIN`, `MEMBER` or `OPERATOR`',
			lastActiveDate: 'Always null: Activepieces has not returned it since 0.74',
			externalId: 'ID that your own software gave the user',
		},
	},
	operations: {
		getAll: { live: { schema: 'PlatformUser' }, docs: {} },
		get: {
			faults: [{ hasList: true }],
			live: { schema: 'PlatformUser' },
			docs: { calls: '`GET /v1/users` for an email, and with an API key up to 0.79' },
		},
		update: {
			// The first one owns the platform.
			records: ({ users }) => users.slice(1),
			parameters: (id) => ({ updateFields: { externalId: `ext ${id}` } }),
			expected: (id) => ({ id, externalId: `ext ${id}` }),
			isChanged: ({ data }, id) => find(data.users, id).externalId === `ext ${id}`,
			faults: [
				{},
				{ name: 'the user', request: 'GET /v1/users/{id}', hasList: true },
				{ name: 'the platform', request: 'GET /v1/platforms/{id}' },
			],
			load: { requests: 3 },
			docs: {
				calls: '`GET /v1/users/{id}` or `GET /v1/users`, and `GET /v1/platforms/{id}` first',
				secondTime: 'Sets the same values again',
			},
		},
	},
};
