import { parseBaseUrl } from '../../nodes/Activepieces/transport/credential/parseBaseUrl';

/** What a server says of itself. */
export interface ServerInfo {
	/** For example 0.85.2 */
	release: string;
	edition: 'ce' | 'ee' | 'cloud' | 'unknown';
}

export const EDITIONS: Record<ServerInfo['edition'], string> = {
	ce: 'Community',
	ee: 'Enterprise',
	cloud: 'Cloud',
	unknown: 'unknown',
};

const TIMEOUT_MS = 30_000;

/**
 * Asks for release and edition. Without a key: 0.73 refuses the request with one, and every release with a
 * wrong one.
 *
 * @throws Error saying what came instead
 */
export async function readServerInfo(baseUrl: string): Promise<ServerInfo> {
	const parsed = parseBaseUrl(baseUrl);
	if ('invalid' in parsed) throw new Error(parsed.invalid);
	const response = await fetch(`${parsed.url}/v1/flags`, {
		redirect: 'manual',
		signal: AbortSignal.timeout(TIMEOUT_MS),
	}).catch((error: Error) => {
		const { code } = (error.cause ?? {}) as { code?: unknown };
		throw new Error(`GET /v1/flags got no answer (${String(code ?? error.name)})`);
	});
	const flags = (await response.json().catch(() => undefined)) as
		{ CURRENT_VERSION?: unknown; EDITION?: unknown } | undefined;
	const release = String(flags?.CURRENT_VERSION ?? '');
	// Shown as it is, so it has to look like one.
	if (!/^\d+\.\d+\.\d+[\w.-]{0,20}$/.test(release)) {
		throw new Error(`GET /v1/flags → ${response.status}, without the release`);
	}
	const edition = String(flags?.EDITION);
	return { release, edition: edition in EDITIONS ? (edition as ServerInfo['edition']) : 'unknown' };
}
