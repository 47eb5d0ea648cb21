import type { FastifyRequest } from 'fastify';

/** An error the service's own code throws: answered as `{ code, params }`. */
export class ApplicationError extends Error {
	constructor(
		readonly statusCode: number,
		readonly errorCode: string,
		readonly params: Record<string, unknown> | null,
	) {
		super(errorCode);
	}
}

/** An error in the framework's shape: `{ statusCode, code?, error, message }`. */
export class FrameworkError extends Error {
	readonly code?: string;

	constructor(
		readonly statusCode: number,
		message: string,
		code?: string,
	) {
		super(message);
		if (code !== undefined) this.code = code;
	}
}

export const ROUTE_NOT_FOUND = { statusCode: 404, error: 'Not Found', message: 'Route not found' };
/** The same as a fault. */
export const ROUTE_MISSING = { status: 404, body: ROUTE_NOT_FOUND };

/** 403 of a principal without the permission. */
export function notAllowed(params: Record<string, unknown>): ApplicationError {
	return new ApplicationError(403, 'AUTHORIZATION', params);
}

/** 404 of an entity. */
export function entityNotFound(params: Record<string, unknown>): ApplicationError {
	return new ApplicationError(404, 'ENTITY_NOT_FOUND', params);
}

/** 409 of a business rule. */
export function conflict(message: string): ApplicationError {
	return new ApplicationError(409, 'VALIDATION', { message });
}

/** 500 of PostgreSQL for a row whose value another one has. */
export const duplicateKey = (constraint: string) => {
	const message = `duplicate key value violates unique constraint "${constraint}"`;
	return new FrameworkError(500, message, '23505');
};

/** The same for a row that names one which does not exist. */
export const foreignKey = (of: string, to: string) => {
	const constraint = `violates foreign key constraint "fk_${of}_${to}_id"`;
	return new FrameworkError(500, `insert or update on table "${of}" ${constraint}`, '23503');
};

/**
 * The response of a hook of the service that fails while it reports a failure: the status is right, the
 * text does not help. Real servers send it for folders and flows.
 */
export function uselessError(statusCode: number): FrameworkError {
	return new FrameworkError(statusCode, "Cannot read properties of undefined (reading 'type')");
}

/** PostgreSQL cannot store NUL, in any column or filter. A cursor is decoded first. */
export function refuseNul({ params, query, body }: FastifyRequest): void {
	JSON.stringify([params, { ...(query as object), cursor: undefined }, body], (_, value) => {
		if (typeof value !== 'string' || !value.includes('\0')) return value as unknown;
		throw new FrameworkError(500, 'invalid byte sequence for encoding "UTF8": 0x00', '22021');
	});
}

/** A time in a filter or a cursor, in milliseconds since 1970, as PostgreSQL reads it. */
export function timeOf(text: string): number {
	const time = Date.parse(text);
	if (!Number.isNaN(time)) return time;
	const type = 'invalid input syntax for type timestamp with time zone';
	throw new FrameworkError(500, `${type}: "${text}"`, '22007');
}
