import type { IDataObject } from 'n8n-workflow';

import type { Simplify } from '../../descriptions/output';
import { isRecord } from '../../transport/values/isRecord';
import { projectNameOf } from '../project/projectNames';

/** A connection of a project has one project ID; only connections of the platform have several. */
export const projectIdOf = ({ projectIds }: IDataObject): unknown =>
	Array.isArray(projectIds) ? projectIds[0] : undefined;

/**
 * The fields of a connection that a person acts on: what it is, which flows need it, who can fix it.
 * Missing fields are null.
 */
export const simplifyConnection: Simplify = (connection, source) => {
	const owner = isRecord(connection.owner) ? connection.owner : {};
	const projectId = projectIdOf(connection) as string | undefined;
	return {
		id: connection.id ?? null,
		externalId: connection.externalId ?? null,
		name: connection.displayName ?? null,
		pieceName: connection.pieceName ?? null,
		status: connection.status ?? null,
		projectId: projectId ?? null,
		projectName: projectNameOf({ projectId }, source),
		flowIds: Array.isArray(connection.flowIds) ? connection.flowIds : [],
		ownerEmail: owner.email ?? null,
		updated: connection.updated ?? null,
	};
};
