import type { IDataObject } from 'n8n-workflow';

import { readOptional } from '../../descriptions/parameters';
import {
	actionsFilter,
	addNames,
	endedRun,
	isChosenHere,
	LIST_AUDIT_EVENTS,
	simplifyAuditEvent,
	withoutPrivateKey,
} from '../../resources/auditEvent/auditEvent';
import { textOf } from '../../transport/values';
import type { EventContext } from '../event';
import { readLists, watchedProjectId } from '../lists';
import { recordEvent } from '../recordEvent';

const watchedActions = (context: EventContext): string[] | undefined =>
	readOptional(context, {
		label: 'Actions',
		name: 'actions',
		type: 'multiOptions',
		parse: (label, value) => actionsFilter.parse(label, value, context),
	});

export const platformEvent = recordEvent({
	name: 'Platform Event',
	action: 'On platform event',
	value: 'platformEvent',
	description: 'When a user or a flow does something that the audit log of the platform has',
	fields: ['actions', 'projectId'],
	isFiltered: true,
	async readRecords(context, query, records) {
		const createdAfter = new Date(records.since('')).toISOString();
		const projectId = watchedProjectId(context);
		const action = watchedActions(context);
		const isFiltered = isChosenHere(action);
		const request = {
			...LIST_AUDIT_EVENTS,
			query: {
				...(isFiltered ? {} : action && { action }),
				...(projectId !== undefined && { projectId }),
				createdAfter,
			},
		};
		const take = (event: IDataObject, list: string) => {
			if (isFiltered && !action?.includes(textOf(event.action))) return;
			query.take(withoutPrivateKey(event), list);
		};
		const { wanted } = query;
		// A page may have none of them.
		const more = wanted && isFiltered ? { wanted: () => (wanted() > 0 ? Infinity : 0) } : {};
		return await readLists(context, [{ list: '', request }], { ...query, take, ...more });
	},
	timeOf: ({ created }) => created,
	// One event for each end of a run, however often the service writes it.
	idOf: (event) => endedRun(event)?.id ?? event.id,
	versionOf: (event) => textOf(endedRun(event)?.finishTime),
	simplify: simplifyAuditEvent,
	complete: addNames,
	noExample: {
		message: 'The audit log has no such event',
		description:
			'Choose more events in Actions, or publish the n8n workflow (activate it in n8n 1). It starts when the next event happens.',
	},
});
