/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */
import { randomBytes } from 'node:crypto';

import type { ProgramName } from './programs';

/** Names a Redis that is there already, as `redis://user:password@host:port/database`. */
export const REDIS_URL = 'N8N_E2E_REDIS_URL';

/** Names a PostgreSQL that is there already, as `postgres://user:password@host:port/database`. */
export const POSTGRES_URL = 'N8N_E2E_POSTGRES_URL';

/** The address of a server that is there already, from a variable; undefined when it is not set. */
export function givenUrl(name: string): URL | undefined {
	const value = process.env[name];
	return value === undefined || value === '' ? undefined : new URL(value);
}

/** A name on a server that may be somebody's: nobody else has it, and what bears it may be dropped. */
export const ownName = () => `activepieces_e2e_${randomBytes(6).toString('hex')}`;

/** What has to be installed for what is not given. */
export function needsPrograms(): ProgramName[] {
	const programs: Array<[ProgramName, string]> = [
		['redis', REDIS_URL],
		['postgres', POSTGRES_URL],
	];
	return programs.flatMap(([program, name]) => (givenUrl(name) === undefined ? [program] : []));
}
