import type { IDataObject } from 'n8n-workflow';

import { readOptional } from '../../descriptions/parameters';
import {
	actionsFilter,
	LIST_AUDIT_EVENTS,
	simplifyAuditEvent,
	withoutPrivateKey,
} from '../../resources/auditEvent';
import { isRecord, textOf } from '../../transport/values';
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

function endedRun({ action, data }: IDataObject): IDataObject | undefined {
	const run = isRecord(data) ? data.flowRun : undefined;
	return action === 'flow.run.finished' && isRecord(run) ? run : undefined;
}

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
		const request = {
			...LIST_AUDIT_EVENTS,
			query: {
				...(action && { action }),
				...(projectId !== undefined && { projectId }),
				createdAfter,
			},
		};
		const take = (event: IDataObject, list: string) => query.take(withoutPrivateKey(event), list);
		return await readLists(context, [{ list: '', request }], { ...query, take });
	},
	timeOf: ({ created }) => created,
	// 0.86 writes the end of a run twice, up to seconds apart and with other IDs (recorded).
	idOf: (event) => endedRun(event)?.id ?? event.id,
	versionOf: (event) => textOf(endedRun(event)?.finishTime),
	simplify: simplifyAuditEvent,
	noExample: {
		message: 'The audit log has no such event',
		description:
			'Choose more events in Actions, or publish the n8n workflow (activate it in n8n 1). It starts when the next event happens.',
	},
});
