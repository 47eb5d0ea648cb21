import type { ResourceFacts } from './facts';

export const auditEvent: ResourceFacts = {
	records: ({ auditEvents }) => auditEvents,
	needs: 'Cloud or Enterprise 0.79 or later, on a plan with audit logs. 0.73 needs Sign-In',
	output: {
		title: 'Audit event',
		events: 'Platform Event',
		fields: {
			action: 'What happened, for example `flow.deleted`',
			userEmail:
				'Email of the user. An action with an API key has the email of the platform’s owner; events of runs have none',
			objectType: 'Kind of the object, for example `flow`, `flowRun` or `folder`',
			objectName: 'Name of the object',
			change: 'For `flow.updated`, the kind of change, for example `CHANGE_NAME`',
			projectId: 'ID of the project; null for events of the platform',
			objectId: 'ID of the object',
			id: 'ID of the event',
		},
	},
	operations: {
		getAll: {
			lackedBy: ['0.73'],
			live: { lacking: ['ce'] },
			docs: { result: 'One item per event of the audit log, newest first' },
		},
	},
};
