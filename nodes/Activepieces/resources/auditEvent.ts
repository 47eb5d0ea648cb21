import type { IDataObject } from 'n8n-workflow';

import { optionalId } from '../descriptions/field';
import { choicesOf, createdFilters, text } from '../descriptions/kinds';
import type { Simplify } from '../descriptions/output';
import { projectLocator } from '../descriptions/project';
import type { ApiClient } from '../transport/api/client';
import type { ApiRequest } from '../transport/client/request';
import { isWholeId } from '../transport/ids';
import { isRecord, orNull, recordOf, textOf } from '../transport/values';
import { fetchFlow, flowName } from './flow/flow';
import { listOperation, Resource } from './operation';
import { fillProjectNames, projectNameOf } from './project/project';

export const LIST_AUDIT_EVENTS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/audit-events',
		order: 'newestFirst',
		continuesByTime: true,
		feature: 'audit events',
	},
	subject: { noun: 'audit events' },
};

/** The events that a release writes (recorded), and those named in the service's source, sorted by label. */
const ACTIONS = {
	'connection.upserted': 'Connection Created or Changed',
	'connection.deleted': 'Connection Deleted',
	'flow.activated': 'Flow Activated',
	'flow.created': 'Flow Created',
	'flow.deactivated': 'Flow Deactivated',
	'flow.deleted': 'Flow Deleted',
	'flow.published': 'Flow Published',
	'flow.run.finished': 'Flow Run Finished',
	'flow.run.resumed': 'Flow Run Resumed',
	'flow.run.retried': 'Flow Run Retried',
	'flow.run.started': 'Flow Run Started',
	'flow.updated': 'Flow Updated',
	'folder.created': 'Folder Created',
	'folder.deleted': 'Folder Deleted',
	'folder.updated': 'Folder Updated',
	'project.release.created': 'Project Release Created',
	'project.replaced': 'Project Replaced',
	'project.role.created': 'Project Role Created',
	'project.role.deleted': 'Project Role Deleted',
	'project.role.updated': 'Project Role Updated',
	'signing.key.created': 'Signing Key Created',
	'user.email.verified': 'User Email Verified',
	'user.password.reset': 'User Password Reset',
	'user.signed.in': 'User Signed In',
	'user.signed.up': 'User Signed Up',
	'variable.upserted': 'Variable Created or Changed',
	'variable.deleted': 'Variable Deleted',
	'variable.value.revealed': 'Variable Value Revealed',
};

export const actionsField = (description: string) =>
	choicesOf('Actions', 'actions', {
		options: Object.entries(ACTIONS).map(([value, name]) => ({ name, value })),
		description,
		hint: 'Leave empty for all. Activepieces 0.79 and earlier write Flow Updated for Activated, Deactivated and Published.',
	});

/** The new key in this event is the private one, in clear (recorded from 0.79 on). It is given to nobody. */
export function withoutPrivateKey(event: IDataObject): IDataObject {
	const { data } = event;
	if (!isRecord(data) || !isRecord(data.signingKey)) return event;
	const signingKey = { ...data.signingKey };
	delete signingKey.privateKey;
	return { ...event, data: { ...data, signingKey } };
}

/** 0.79 refuses a list with more values of a parameter (recorded). */
const MAX_ACTIONS = 20;

/**
 * How events with these actions are requested, by default all. With too many actions for a request all events are
 * read, and `isWanted` chooses among them.
 */
export function eventsWith(actions: string[] | undefined) {
	if (actions === undefined) return { query: {} };
	if (actions.length <= MAX_ACTIONS) return { query: { action: actions } };
	return { query: {}, isWanted: ({ action }: IDataObject) => actions.includes(textOf(action)) };
}

/**
 * What is the same for all events of one end of a run: 0.86 writes it twice, up to seconds apart and with other IDs
 * (recorded). `isEnd` if it contains the time of that end.
 */
export function identityOf({ id, action, data }: IDataObject): { id: string; isEnd: boolean } {
	const run = isRecord(data) ? data.flowRun : undefined;
	if (action !== 'flow.run.finished' || !isRecord(run)) return { id: textOf(id), isEnd: false };
	const finishTime = textOf(run.finishTime);
	return { id: textOf(run.id) + finishTime, isEnd: finishTime !== '' };
}

/** What an event is about, by its name in `data`. Every event has the user and the project besides. */
const OBJECTS = [
	'flowRun',
	'flow',
	'folder',
	'connection',
	'variable',
	'projectRole',
	'signingKey',
	'user',
];

/**
 * The fields of an event that a person reads. `change` names the operation of a changed flow, or the status
 * of a run. Most events of runs have only the ID of the flow (recorded).
 */
export const simplifyAuditEvent: Simplify = (event, source) => {
	const data = recordOf(event.data);
	const type = OBJECTS.find((name) => isRecord(data[name])) ?? null;
	const object = recordOf(data[type ?? '']);
	const version = [object.version, object.flowVersion, data.flowVersion].find(isRecord) ?? {};
	return {
		...orNull(event, 'action', 'created', 'userEmail'),
		objectType: type,
		objectName: object.displayName ?? version.displayName ?? object.name ?? object.flowId ?? null,
		change: recordOf(data.request).type ?? (type === 'flowRun' ? object.status : null) ?? null,
		projectName: event.projectDisplayName ?? projectNameOf(event, source),
		projectId: event.projectId ?? null,
		objectId: object.id ?? null,
		id: event.id ?? null,
	};
};

/** Adds the names of projects and flows that the events lack. What cannot be read stays as it is. */
export async function addNames(client: ApiClient, events: IDataObject[]): Promise<void> {
	await fillProjectNames(client, events);
	const nameById = async (event: IDataObject) => {
		const id = textOf(event.objectName);
		const target = { id, subject: { noun: 'flow' } };
		const read = async () => await fetchFlow(client, target).then(flowName, () => id);
		event.objectName = await client.cached(`name of flow ${id}`, read);
	};
	// An agent may leave out the type.
	const ofRuns = events.filter(({ objectType = 'flowRun' }) => objectType === 'flowRun');
	await Promise.all(ofRuns.filter(({ objectName }) => isWholeId(textOf(objectName))).map(nameById));
}

const filters = {
	action: actionsField('Return only these events'),
	...createdFilters('events'),
	projectId: optionalId({ ...projectLocator, description: 'Return only events in this project' }),
	userId: text('User ID', 'userId', { description: 'Return only events of the user with this ID' }),
};

const getAll = listOperation({
	description: 'Get what happened on the platform, newest first. Requires a plan with audit logs.',
	hint: 'Returns one item per event. Requires a Cloud or Enterprise plan with audit logs.',
	toolDescription: 'Returns what users and flows did on the Activepieces platform, newest first',
	request: LIST_AUDIT_EVENTS,
	filters,
	simplify: simplifyAuditEvent,
	select({ action, ...others }) {
		const { query, isWanted } = eventsWith(action as string[] | undefined);
		const ends = new Set<string>();
		return {
			query: { ...others, ...query },
			mayDrop: isWanted !== undefined,
			convert(event) {
				if (isWanted?.(event) === false) return undefined;
				const { id, isEnd } = identityOf(event);
				if (isEnd && ends.has(id)) return undefined;
				if (isEnd) ends.add(id);
				return withoutPrivateKey(event);
			},
		};
	},
	// Most events have the names themselves.
	enrich: addNames,
});

export const auditEvent: Resource = {
	name: 'Audit Event',
	value: 'auditEvent',
	operations: [getAll],
};
