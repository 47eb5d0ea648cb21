import type { IDataObject } from 'n8n-workflow';

import {
	createdFilters,
	type Filter,
	listFilter,
	locatorFilter,
	textFilter,
} from '../descriptions/filters';
import { multiOptionsField } from '../descriptions/fields';
import type { Simplify } from '../descriptions/output';
import { isStatus } from '../transport/httpStatus';
import { when } from '../transport/messages';
import type { ApiRequest } from '../transport/request';
import type { ResponseRule } from '../transport/responseMessages';
import { isRecord, recordOf } from '../transport/values';
import { listOperation, orNull, projectNameOf } from './builders';
import type { Resource } from './operation';
import { projectLocator } from './project/project';

/** 0.73 reads every key as that of a project, and refuses it even with a project (recorded). */
const KEY_REFUSED: ResponseRule = when(
	[
		({ status, message = '' }) =>
			isStatus(status, 'conflict', 'forbidden') &&
			/^(missing project id in request|invalid api key)$/.test(message),
	],
	() => ({
		message: 'In this Activepieces release, audit events cannot be read with an API key',
		description:
			'This requires Activepieces 0.79 or later. In this release, use an Activepieces Sign-In API credential of a platform admin.',
	}),
);

export const LIST_AUDIT_EVENTS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/audit-events',
		continuesByTime: true,
		feature: 'audit events',
		rules: [KEY_REFUSED],
	},
	subject: { noun: 'audit events' },
};

/** The events that a release writes (recorded), and those named in the service's source. */
const ACTIONS = {
	'connection.deleted': 'Connection Deleted',
	'connection.upserted': 'Connection Created or Changed',
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
	'variable.deleted': 'Variable Deleted',
	'variable.upserted': 'Variable Created or Changed',
	'variable.value.revealed': 'Variable Value Revealed',
};

export const actionsField = (description: string) =>
	multiOptionsField('Actions', 'actions', {
		options: Object.entries(ACTIONS).map(([value, name]) => ({ name, value })),
		description,
		hint: 'Activepieces 0.79 and earlier write Flow Updated instead of Flow Activated, Deactivated and Published',
	});

/** The new key in this event is the private one, in clear (recorded from 0.79 on). It is given to nobody. */
export function withoutPrivateKey(event: IDataObject): IDataObject {
	const { data } = event;
	if (!isRecord(data) || !isRecord(data.signingKey)) return event;
	const signingKey = { ...data.signingKey };
	delete signingKey.privateKey;
	return { ...event, data: { ...data, signingKey } };
}

/** What an event is about, by its name in `data`. Every event has the user and the project besides. */
const OBJECTS = [
	'flowRun',
	'flow',
	'flowVersion',
	'folder',
	'connection',
	'variable',
	'projectRole',
	'signingKey',
	'user',
];

/** The fields of an event that a person reads. `change` names the operation of a changed flow. */
export const simplifyAuditEvent: Simplify = (event, source) => {
	const data = recordOf(event.data);
	const type = OBJECTS.find((name) => isRecord(data[name])) ?? null;
	const object = recordOf(data[type ?? '']);
	const version = isRecord(object.version) ? object.version : recordOf(data.flowVersion);
	// 0.73 returns only the version of an updated flow (recorded).
	const isVersion = type === 'flowVersion';
	return {
		...orNull(event, 'action', 'created', 'userEmail'),
		objectType: isVersion ? 'flow' : type,
		objectName: object.displayName ?? version.displayName ?? object.name ?? null,
		change: recordOf(data.request).type ?? null,
		projectName: event.projectDisplayName ?? projectNameOf(event, source),
		projectId: event.projectId ?? null,
		objectId: (isVersion ? object.flowId : object.id) ?? null,
		id: event.id ?? null,
	};
};

export const actionsFilter = listFilter(actionsField('Return only these events'), 'action');

const filters: Filter[] = [
	actionsFilter,
	...createdFilters('events'),
	locatorFilter({ ...projectLocator, description: 'Return only events in this project' }),
	textFilter('User ID', 'userId', { description: 'Return only events of the user with this ID' }),
];

const getAll = listOperation({
	description: 'Get what happened on the platform, newest first. Requires a plan with audit logs.',
	hint: 'Returns one item per event. Requires a Cloud or Enterprise plan with audit logs.',
	toolDescription: 'Returns what users and flows did on the Activepieces platform, newest first',
	request: LIST_AUDIT_EVENTS,
	filters,
	simplify: simplifyAuditEvent,
	take: withoutPrivateKey,
});

export const auditEvent: Resource = {
	name: 'Audit Event',
	value: 'auditEvent',
	operations: [getAll],
};
