import type { FastifyRequest } from 'fastify';

import { ApplicationError, conflict, entityNotFound, notAllowed, uselessError } from './errors';
import type { ProjectRecord, ServiceData, UserRecord } from './records';
import type { ReleaseTraits } from './releases';
import { roleIn, type Permission } from './roles';
import type { Sessions } from './sessions';

export interface UserPrincipal {
	type: 'USER';
	platform: ServiceData;
	user: UserRecord;
	/** The only project of a token of 0.73 */
	projectId: string | undefined;
}

export type KnownPrincipal =
	{ type: 'SERVICE'; platform: ServiceData; projectId?: undefined } | UserPrincipal;

type Principal = { type: 'UNKNOWN' } | KnownPrincipal;

interface Accounts {
	/** The Community edition has no keys */
	apiKey?: string;
	otherPlatformKey?: string;
	sessions: Sessions;
	own: ServiceData;
	other: ServiceData;
}

export class Authorization {
	constructor(
		private readonly traits: ReleaseTraits,
		private readonly accounts: Accounts,
	) {}

	/** @throws ApplicationError 401 for an invalid key or token */
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
		// Of a platform that does not exist yet: no route here accepts such a token.
		if (!account.platform) return { type: 'UNKNOWN' };
		return { type: 'USER', platform: account.platform, user: account.user, projectId };
	}

	/** A principal of a platform, on a route of platform scope. */
	platform(request: FastifyRequest): KnownPrincipal {
		return this.known(this.authenticate(request));
	}

	/** A principal of a platform, on a route for keys and the platform's admins. */
	platformAdmin(request: FastifyRequest): KnownPrincipal {
		const principal = this.platform(request);
		this.requireAdmin(principal, this.traits.adminOnly);
		return principal;
	}

	/** @throws ApplicationError 403 for a person who is not an admin of the platform */
	requireOwner(principal: KnownPrincipal): void {
		this.requireAdmin(principal, 'User is not owner of the platform');
	}

	/**
	 * A principal on a route that 0.73 did not mark as of platform scope: a key then needs a project, which
	 * the route itself does not read.
	 */
	platformWithProject(request: FastifyRequest): KnownPrincipal {
		const principal = this.platform(request);
		if (!this.traits.old) return principal;
		const { projectId } = request.query as { projectId?: string };
		if (principal.type === 'USER') {
			this.refuseOtherProject(request.query, principal.projectId);
		} else if (projectId === undefined) {
			throw conflict('missing project id in request');
		} else if (!ownsProject(principal.platform, projectId)) {
			throw notAllowed({ message: 'invalid api key' });
		}
		return principal;
	}

	/** A principal that may use the project named in the query of a GET, or in the body. */
	namedProject(request: FastifyRequest, permission: Permission): KnownPrincipal {
		const principal = this.projectPrincipal(request);
		const source = request.method === 'GET' ? request.query : request.body;
		const { projectId = '' } = source as { projectId?: string };
		this.checkProject(principal, projectId, permission);
		return principal;
	}

	/**
	 * The record in the path, when the principal may see its project.
	 * @param row the record in any platform
	 * @param entityType as responses name it
	 */
	rowOfPath<Row extends { projectId: string }>(
		request: FastifyRequest,
		row: Row | undefined,
		entityType: string,
		permission: Permission | undefined,
	): Row {
		const { id } = request.params as { id: string };
		if (this.traits.old) {
			const principal = this.projectPrincipal(request);
			if (principal.type === 'USER') {
				if (row && row.projectId === principal.projectId) return row;
				// That of folders: other records are read with a session from 0.79 on only.
				throw entityNotFound({ message: `Folder ${id} is not found` });
			}
			if (!row) throw uselessError(404);
			this.checkProject(principal, row.projectId);
			this.refuseOtherProject(request.query, row.projectId);
			return row;
		}
		// Later releases find the record after checking the key, but before checking permissions.
		const principal = this.authenticateForProject(request);
		if (!row) throw entityNotFound({ entityId: id, entityType });
		this.checkProject(this.known(principal), row.projectId, permission);
		return row;
	}

	/** A principal, and the project in the path. */
	projectOfPath(request: FastifyRequest): { principal: KnownPrincipal; project: ProjectRecord } {
		const principal = this.platform(request);
		const { id } = request.params as { id: string };
		this.checkProject(principal, id);
		return { principal, project: this.getProject(id) };
	}

	/** 0.73 compares a projectId in the query or body with the principal's own. */
	refuseProjectId(request: FastifyRequest, projectId: string | undefined): void {
		if (!this.traits.old) return;
		this.refuseOtherProject(request.query, projectId);
		this.refuseOtherProject(request.body, projectId);
	}

	getProject(id: string): ProjectRecord {
		const { own, other } = this.accounts;
		const found = [...own.projects, ...other.projects].find((project) => project.id === id);
		if (!found) throw entityNotFound({ entityId: id, entityType: 'project' });
		return found;
	}

	/** @throws ApplicationError 403 for a person without a role, or without a permission, in a project */
	checkRole({ platform, user }: UserPrincipal, projectId: string, permission?: Permission): void {
		const role = roleIn(this.getProject(projectId), platform, user);
		const subject = { userId: user.id, projectId };
		if (role === undefined) throw notAllowed({ message: 'No role found for the user', ...subject });
		if (permission === undefined || role.permissions.includes(permission)) return;
		const denied = { ...subject, projectRole: role, permission };
		throw new ApplicationError(403, 'PERMISSION_DENIED', denied);
	}

	private requireAdmin(principal: KnownPrincipal, message: string): void {
		if (principal.type === 'USER' && principal.user.platformRole !== 'ADMIN') {
			throw notAllowed({ message });
		}
	}

	private refuseOtherProject(source: unknown, projectId: string | undefined): void {
		const sent = (source as { projectId?: unknown } | null | undefined)?.projectId;
		if (sent !== undefined && sent !== projectId)
			throw notAllowed({ message: 'invalid project id' });
	}

	/** A principal on a route of a project, before the project is known. */
	projectPrincipal(request: FastifyRequest): KnownPrincipal {
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

	private known(principal: Principal): KnownPrincipal {
		if (principal.type === 'UNKNOWN') throw notAllowed({ message: this.traits.unknownPrincipal });
		return principal;
	}

	checkProject(principal: KnownPrincipal, projectId: string, permission?: Permission) {
		if (this.traits.old) {
			if (principal.type === 'USER') this.refuseOtherProject({ projectId }, principal.projectId);
			else if (!ownsProject(principal.platform, projectId)) throw uselessError(403);
			return;
		}
		this.getProject(projectId);
		if (principal.type === 'USER') {
			this.checkRole(principal, projectId, permission);
		} else if (!ownsProject(principal.platform, projectId)) {
			const message = 'Service is not allowed to access this project';
			throw notAllowed({ message, projectId, platformId: principal.platform.platformId });
		}
	}
}

function ownsProject(platform: ServiceData, projectId: string): boolean {
	return platform.projects.some((project) => project.id === projectId);
}

/** 402 of a plan without a feature. */
export function requireFeature(enabled: boolean, message = 'Feature is disabled'): void {
	if (!enabled) throw new ApplicationError(402, 'FEATURE_DISABLED', { message });
}
