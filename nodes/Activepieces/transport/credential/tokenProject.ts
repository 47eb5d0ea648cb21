import { isRecord } from '../isRecord';

/** The payload of a JSON Web Token; an empty one for an API key and for anything else. */
function payload(token: string): Record<string, unknown> {
	const [, part = ''] = token.split('.');
	if (part === '') return {};
	try {
		const decoded: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
		return isRecord(decoded) ? decoded : {};
	} catch {
		return {};
	}
}

/**
 * The one project that a session token is for: those of releases up to 0.73 name it, later ones and API
 * keys are for all projects of their user or platform (recorded).
 */
export function projectOfToken(token: string): string | undefined {
	const { projectId } = payload(token);
	return typeof projectId === 'string' && projectId !== '' ? projectId : undefined;
}
