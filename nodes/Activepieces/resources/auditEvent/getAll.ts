import type { IDataObject } from 'n8n-workflow';

import { createdFilters, type Filter, locatorFilter, textFilter } from '../../descriptions/filters';
import { listOperation, type Selection } from '../listOperation';
import type { Operation } from '../operation';
import { projectLocator } from '../project/project';
import {
	actionsFilter,
	addNames,
	eventsWith,
	identityOf,
	LIST_AUDIT_EVENTS,
	simplifyAuditEvent,
	withoutPrivateKey,
} from './auditEvent';

function select({ action, ...others }: IDataObject): Selection {
	const { query, isWanted } = eventsWith(action as string[] | undefined);
	const ends = new Set<string>();
	return {
		query: { ...others, ...query },
		mayDrop: isWanted !== undefined,
		take(event) {
			if (isWanted?.(event) === false) return undefined;
			const { id, isEnd } = identityOf(event);
			if (isEnd && ends.has(id)) return undefined;
			if (isEnd) ends.add(id);
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

const list = listOperation({
	description: 'Get what happened on the platform, newest first. Requires a plan with audit logs.',
	hint: 'Returns one item per event. Requires a Cloud or Enterprise plan with audit logs.',
	toolDescription: 'Returns what users and flows did on the Activepieces platform, newest first',
	request: LIST_AUDIT_EVENTS,
	filters,
	simplify: simplifyAuditEvent,
	select,
});

export const getAll: Operation = {
	...list,
	async run(context) {
		const events = await list.run(context);
		await addNames(context.client, events);
		return events;
	},
};
