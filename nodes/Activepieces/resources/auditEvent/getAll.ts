import type { IDataObject } from 'n8n-workflow';

import { createdFilters, type Filter, locatorFilter, textFilter } from '../../descriptions/filters';
import { textOf } from '../../transport/values';
import { listOperation, type Selection } from '../listOperation';
import { projectLocator } from '../project/project';
import {
	actionsFilter,
	addNames,
	endedRun,
	isChosenHere,
	LIST_AUDIT_EVENTS,
	simplifyAuditEvent,
	withoutPrivateKey,
} from './auditEvent';

function select({ action, ...others }: IDataObject): Selection {
	const actions = action as string[] | undefined;
	const isFiltered = isChosenHere(actions);
	const ends = new Set<string>();
	return {
		query: isFiltered || actions === undefined ? others : { ...others, action: actions },
		mayDrop: isFiltered,
		take(event) {
			if (isFiltered && !actions?.includes(textOf(event.action))) return undefined;
			const run = endedRun(event);
			const end = run && `${textOf(run.id)} ${textOf(run.finishTime)}`;
			if (end !== undefined && ends.has(end)) return undefined;
			if (end !== undefined) ends.add(end);
			return withoutPrivateKey(event);
		},
	};
}

const filters: Filter[] = [
	actionsFilter,
	...createdFilters('events'),
	locatorFilter({ ...projectLocator, description: 'Return only events in this project' }),
	textFilter('User ID', 'userId', { description: 'Return only events of the user with this ID' }),
];

export const getAll = listOperation({
	description: 'Get what happened on the platform, newest first. Requires a plan with audit logs.',
	hint: 'Returns one item per event. Requires a Cloud or Enterprise plan with audit logs.',
	toolDescription: 'Returns what users and flows did on the Activepieces platform, newest first',
	request: LIST_AUDIT_EVENTS,
	filters,
	simplify: simplifyAuditEvent,
	select,
	complete: addNames,
});
