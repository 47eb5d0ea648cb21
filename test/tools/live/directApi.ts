import {
	requireApiKey,
	requireBaseUrl,
} from '../../../nodes/Activepieces/transport/credential/credential';
import { Mismatch } from './report';
import { TIMEOUT_MS, type Settings } from './settings';

export const EDITIONS = { ce: 'Community', ee: 'Enterprise', cloud: 'Cloud', unknown: 'unknown' };

export interface ServerInfo {
	/** For example 0.85.2 */
	release: string;
	edition: keyof typeof EDITIONS;
}

/** The few requests that this command sends without the node. */
export class DirectApi {
	private token: string | undefined;

	constructor(private readonly credential: Settings['credential']) {}

	/**
	 * Reads release and edition, without a key: 0.73 refuses the request with a key, and every release with
	 * a wrong one.
	 *
	 * @throws Mismatch with the response that came instead
	 */
	async serverInfo(): Promise<ServerInfo> {
		const { status, body } = await this.request('GET', '/v1/flags', {});
		const release = String(body.CURRENT_VERSION);
		// The report shows it, so it has to look like a version.
		if (!/^\d+\.\d+\.\d+[\w.-]{0,20}$/.test(release)) {
			throw new Mismatch(`GET /v1/flags → ${status}, without the release`);
		}
		const edition = String(body.EDITION) as keyof typeof EDITIONS;
		return { release, edition: edition in EDITIONS ? edition : 'unknown' };
	}

	/** @throws Mismatch when the record may still exist */
	async delete(kind: 'folder' | 'flow', id: string): Promise<void> {
		const { status } = await this.send('DELETE', `/v1/${kind}s/${encodeURIComponent(id)}`);
		if ([200, 204, 404].includes(status)) return;
		throw new Mismatch(`DELETE /v1/${kind}s/{id} → ${status}`);
	}

	/** The newest version of a piece on the server, or the given one when the server does not list it. */
	async pieceVersion(name: string, otherwise: string): Promise<string> {
		const { status, body } = await this.send('GET', `/v1/pieces/${name}`);
		return status === 200 && typeof body.version === 'string' ? body.version : otherwise;
	}

	/** The key, or the token of a session. */
	async signIn(): Promise<string> {
		const { apiKey, email, password } = this.credential as Record<string, string>;
		if (apiKey !== undefined) return requireApiKey(apiKey);
		if (this.token !== undefined) return this.token;
		const path = '/v1/authentication/sign-in';
		const { body, status } = await this.request('POST', path, {}, { email, password });
		if (typeof body.token === 'string') return (this.token = body.token);
		throw new Mismatch(`POST ${path} → ${status}`);
	}

	private async send(method: string, path: string) {
		return await this.request(method, path, { authorization: `Bearer ${await this.signIn()}` });
	}

	private async request(method: string, path: string, headers: object, body?: object) {
		const response = await fetch(requireBaseUrl(this.credential.baseUrl) + path, {
			method,
			headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
			body: body && JSON.stringify(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		}).catch((error: Error) => {
			const { code } = (error.cause ?? {}) as { code?: unknown };
			throw new Mismatch(`${method} got no response (${String(code ?? error.name)})`);
		});
		const json: unknown = await response.json().catch(() => undefined);
		return { status: response.status, body: (json ?? {}) as Record<string, unknown> };
	}
}
