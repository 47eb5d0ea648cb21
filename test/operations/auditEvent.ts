import type { ResourceFacts } from './facts';

export const auditEvent: ResourceFacts = {
	records: ({ auditEvents }) => auditEvents,
	needs: 'Cloud or Enterprise, on a plan with audit logs',
	output: {
		title: 'Audit event',
		events: 'Audit Event',
		fields: {
			action: 'What happened, for example `flow.deleted`',
			userEmail: "Email of the user: the platform's owner for an API key, none for runs",
			objectType: 'Kind of the object, for example `flow`, `flowRun` or `folder`',
			objectName: 'Name of the object. For runs, of the flow, or its ID if it cannot be read',
			change:
				'For `flow.updated`, the kind of change, for example `CHANGE_NAME`. For runs, the status',
			projectId: 'ID of the project; null for events of the platform',
			objectId: 'ID of the object',
		},
	},
	operations: {
		getAll: {
			live: { lacking: ['ce'] },
			docs: { calls: 'for events of runs `GET /v1/flows/{id}` once for each flow' },
		},
	},
};
