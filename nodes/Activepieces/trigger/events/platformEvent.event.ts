/** What the audit log says. */
import {
	addNames,
	eventsWith,
	identityOf,
	LIST_AUDIT_EVENTS,
	simplifyAuditEvent,
	withoutPrivateKey,
} from '../../resources/auditEvent';
import { recordEvent } from '../listEvent';
import { readLists } from '../lists';

export const platformEvent = recordEvent({
	name: 'Audit Event',
	action: 'On audit event',
	value: 'platformEvent',
	description:
		'When the audit log has a new event, for example a deleted flow. Requires a plan with audit logs.',
	watchedFields: ['actions', 'projectId'],
	lookback: () => 0,
	async readRecords(context, query) {
		const projectId = context.value('projectId');
		const { query: ofActions, isWanted } = eventsWith(context.value('actions'));
		const ofProject = projectId === undefined ? {} : { projectId };
		const request = { ...LIST_AUDIT_EVENTS, query: { ...ofActions, ...ofProject } };
		return await readLists(context, [{ listId: '', request, isWatched: isWanted }], query);
	},
	// One event for each end of a run, however often the service writes it.
	identify(event) {
		const { id, isEnd } = identityOf(event);
		return { id, timeVaries: isEnd };
	},
	outputOf: (context, event) => context.output(withoutPrivateKey(event), simplifyAuditEvent),
	async enrich({ client }, events) {
		await addNames(client, events);
		return events;
	},
	noExample: {
		message: 'The audit log has no such event',
		description:
			'Choose more events in Actions, or publish the n8n workflow (activate it in n8n 1). It starts when the next event happens.',
	},
});
