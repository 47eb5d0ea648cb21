import type { FastifyRequest } from 'fastify';

import { ApplicationError, conflict, entityNotFound, notAllowed, uselessError } from './errors';
import type { FolderRecord, ServiceData, UserRecord } from './records';
import type { ReleaseTraits } from './releases';
import type { Sessions } from './sessions';

export type Principal =
	| { type: 'UNKNOWN' }
	| { type: 'SERVICE'; platform: ServiceData }
	/** `projectId` is the one project of a token of 0.73 */
	| { type: 'USER'; platform: ServiceData; user: UserRecord; projectId: string | undefined };

/** Who may be on the server, and with which credential. */
export interface Accounts {
	apiKey: string;
	otherPlatformKey: string;
	sessions: Sessions;
	own: ServiceData;
	other: ServiceData;
}

/** Checks credentials and permissions the way one release does. */
export class Authorization {
	constructor(
		private readonly traits: ReleaseTraits,
		private readonly accounts: Accounts,
	) {}

	/**
	 * Any principal, also none.
	 * @throws ApplicationError 401 for a key or token that is not valid
	 */
	authenticate(request: FastifyRequest): Principal {
		const { apiKey, otherPlatformKey, sessions, own, other } = this.accounts;
		const header = request.headers.authorization ?? '';
		if (!header.startsWith('Bearer ')) return { type: 'UNKNOWN' };
		const credential = header.slice('Bearer '.length);
		if (credential === apiKey) return { type: 'SERVICE', platform: own };
		if (credential === otherPlatformKey) return { type: 'SERVICE', platform: other };
		if (credential.startsWith('sk-')) {
			throw new ApplicationError(401, 'AUTHENTICATION', { message: 'invalid api key' });
		}
		const session = sessions.open(credential);
		if (session === 'revoked') {
			const message = 'The session has expired or the user is not verified.';
			throw new ApplicationError(403, 'SESSION_EXPIRED', { message });
		}
		if (session === 'invalid') {
			const message = 'invalid access token or session expired';
			throw new ApplicationError(401, 'INVALID_BEARER_TOKEN', { message });
		}
		const { account, projectId } = session;
		// Of a platform to be made: no route here takes such a token.
		if (!account.platform) return { type: 'UNKNOWN' };
		return { type: 'USER', platform: account.platform, user: account.user, projectId };
	}

	/** A principal of a platform, on a route of platform scope. */
	platform(request: FastifyRequest): Exclude<Principal, { type: 'UNKNOWN' }> {
		return this.known(this.authenticate(request));
	}

	/**
	 * A principal on a route that 0.73 did not mark as of platform scope: a key then needs a project,
	 * which the route itself never looks at.
	 */
	platformWithProject(request: FastifyRequest): Exclude<Principal, { type: 'UNKNOWN' }> {
		const principal = this.platform(request);
		if (!this.traits.oldAuthorization || principal.type !== 'SERVICE') return principal;
		const { projectId } = request.query as { projectId?: string };
		if (projectId === undefined) throw conflict('missing project id in request');
		if (!ownsProject(principal.platform, projectId))
			throw notAllowed({ message: 'invalid api key' });
		return principal;
	}

	/** A principal that may read the project named in the query. */
	projectOfQuery(request: FastifyRequest): Exclude<Principal, { type: 'UNKNOWN' }> {
		const principal = this.projectPrincipal(request);
		const { projectId = '' } = request.query as { projectId?: string };
		this.checkProject(principal, projectId);
		return principal;
	}

	/** A principal that may write to the project named in the body. */
	projectOfBody(request: FastifyRequest): Exclude<Principal, { type: 'UNKNOWN' }> {
		const principal = this.projectPrincipal(request);
		const { projectId } = request.body as { projectId: string };
		this.checkProject(principal, projectId);
		return principal;
	}

	/**
	 * A row named in the path, when the principal may see its project.
	 * @param row the row in any platform
	 * @param missing.user what 0.73 answers a session that asks for a row outside its project
	 */
	rowOfPath<Row extends { projectId: string }>(
		request: FastifyRequest,
		row: Row | undefined,
		missing: { entityType: string; user: ApplicationError },
	): Row {
		const { id } = request.params as { id: string };
		if (this.traits.oldAuthorization) {
			const principal = this.projectPrincipal(request);
			if (principal.type === 'USER') {
				this.refuseOtherProject(request.body, principal.projectId);
				if (row?.projectId !== principal.projectId) throw missing.user;
				return row as Row;
			}
			if (!row) throw uselessError(404);
			this.checkProject(principal, row.projectId);
			this.refuseOtherProject(request.body, row.projectId);
			return row;
		}
		// Later releases look the row up before they ask who wants it, but after checking the key.
		const principal = this.authenticateForProject(request);
		if (!row) throw entityNotFound({ entityId: id, entityType: missing.entityType });
		this.checkProject(this.known(principal), row.projectId);
		return row;
	}

	/**
	 * The folder of a path id, when the principal may read its project.
	 * @param find the folder in any platform
	 */
	folderOfPath(
		request: FastifyRequest,
		find: (id: string) => FolderRecord | undefined,
	): FolderRecord {
		const { id } = request.params as { id: string };
		const row = find(id);
		const missing = entityNotFound({ entityId: id, entityType: 'folder' });
		if (this.traits.oldAuthorization) {
			const principal = this.projectPrincipal(request);
			const projectId = principal.type === 'USER' ? principal.projectId : row?.projectId;
			if (principal.type === 'SERVICE' && !row) throw uselessError(404);
			if (row && principal.type === 'SERVICE') this.checkProject(principal, row.projectId);
			this.refuseOtherProject(request.query, projectId);
			if (!row || row.projectId !== projectId) {
				throw entityNotFound({ message: `Folder ${id} is not found` });
			}
			return row;
		}
		// Later releases look the row up before they ask who wants it, but after checking the key.
		const principal = this.authenticateForProject(request);
		if (!row) throw missing;
		this.checkProject(this.known(principal), row.projectId);
		return row;
	}

	/** 0.73 compares a projectId sent along, in query or body, with the principal's own. */
	refuseProjectId(request: FastifyRequest): void {
		if (!this.traits.oldAuthorization) return;
		this.refuseOtherProject(request.query, undefined);
		this.refuseOtherProject(request.body, undefined);
	}

	private refuseOtherProject(source: unknown, projectId: string | undefined): void {
		const sent = (source as { projectId?: unknown } | null | undefined)?.projectId;
		if (sent !== undefined && sent !== projectId)
			throw notAllowed({ message: 'invalid project id' });
	}

	/** A principal on a route of a project, before anything is known of the project. */
	projectPrincipal(request: FastifyRequest): Exclude<Principal, { type: 'UNKNOWN' }> {
		return this.known(this.authenticateForProject(request));
	}

	/** On project routes a refused credential fails in the service's own error hook. */
	private authenticateForProject(request: FastifyRequest): Principal {
		try {
			return this.authenticate(request);
		} catch (error) {
			throw error instanceof ApplicationError ? uselessError(error.statusCode) : error;
		}
	}

	private known(principal: Principal): Exclude<Principal, { type: 'UNKNOWN' }> {
		if (principal.type === 'UNKNOWN') throw notAllowed({ message: this.traits.unknownPrincipal });
		return principal;
	}

	private checkProject(principal: Exclude<Principal, { type: 'UNKNOWN' }>, projectId: string) {
		if (this.traits.oldAuthorization) {
			if (principal.type === 'USER') this.refuseOtherProject({ projectId }, principal.projectId);
			else if (!ownsProject(principal.platform, projectId)) throw uselessError(403);
			return;
		}
		if (ownsProject(principal.platform, projectId)) return;
		const { own, other } = this.accounts;
		if (!ownsProject(own, projectId) && !ownsProject(other, projectId)) {
			throw entityNotFound({ entityId: projectId, entityType: 'project' });
		}
		const message = 'Service is not allowed to access this project';
		throw notAllowed({ message, projectId, platformId: principal.platform.platformId });
	}
}

function ownsProject(platform: ServiceData, projectId: string): boolean {
	return platform.projects.some((project) => project.id === projectId);
}

/** 402 of a plan without a feature. */
export function requireFeature(enabled: boolean): void {
	if (!enabled) {
		throw new ApplicationError(402, 'FEATURE_DISABLED', { message: 'Feature is disabled' });
	}
}
