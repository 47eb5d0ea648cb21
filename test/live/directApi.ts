import { parseBaseUrl } from '../../nodes/Activepieces/transport/credential/parseBaseUrl';
import { normalizeApiKey } from '../../nodes/Activepieces/transport/credential/apiKey';
import { projectOfToken } from '../../nodes/Activepieces/transport/credential/tokenProject';
import { Mismatch } from './outcome';
import type { Settings } from './settings';

const TIMEOUT_MS = 60_000;

interface Answer {
	status: number;
	body: Record<string, unknown>;
}

interface Project {
	id: string;
	type?: string;
}

/**
 * The few requests that this command sends by itself: they find what the node does not read, and remove its
 * folder and its flow whatever becomes of the node.
 */
export class DirectApi {
	private token: string | undefined;

	constructor(private readonly settings: Settings) {}

	/** A project to make a folder in: that of the token, else a team's, else any. */
	async anyProject(): Promise<string> {
		const own = projectOfToken(await this.signIn());
		if (own !== undefined) return own;
		let answer = await this.send('GET', '/v1/projects?limit=100');
		if (answer.status === 404) answer = await this.send('GET', '/v1/users/projects');
		const projects = Array.isArray(answer.body.data) ? (answer.body.data as Project[]) : [];
		const project = projects.find(({ type }) => type === 'TEAM') ?? projects[0];
		if (project === undefined) throw new Mismatch('There is no project to make a folder in');
		return project.id;
	}

	/** @throws Mismatch when the folder may still be there */
	async deleteFolder(id: string): Promise<void> {
		const { status } = await this.send('DELETE', `/v1/folders/${encodeURIComponent(id)}`);
		if (status !== 200 && status !== 204 && status !== 404) {
			throw new Mismatch(`DELETE /v1/folders/{id} → ${status}`);
		}
	}

	/** @throws Mismatch when the flow may still be there */
	async deleteFlow(id: string): Promise<void> {
		const { status } = await this.send('DELETE', `/v1/flows/${encodeURIComponent(id)}`);
		if (status !== 204 && status !== 404) {
			throw new Mismatch(`DELETE /v1/flows/{id} → ${status}`);
		}
	}

	/** The newest version of a piece that the server has; nothing when it does not tell. */
	async pieceVersion(name: string): Promise<string | undefined> {
		const { status, body } = await this.send('GET', `/v1/pieces/${name}`);
		return status === 200 && typeof body.version === 'string' ? body.version : undefined;
	}

	private async signIn(): Promise<string> {
		if (this.token !== undefined) return this.token;
		const { login } = this.settings;
		if ('apiKey' in login) return (this.token = normalizeApiKey(login.apiKey));
		const { body, status } = await this.request('POST', '/v1/authentication/sign-in', {}, login);
		if (typeof body.token !== 'string') {
			throw new Mismatch(`POST /v1/authentication/sign-in → ${status}`);
		}
		return (this.token = body.token);
	}

	private async send(method: string, path: string, body?: object): Promise<Answer> {
		const headers = { authorization: `Bearer ${await this.signIn()}` };
		return await this.request(method, path, headers, body);
	}

	private async request(
		method: string,
		path: string,
		headers: Record<string, string>,
		body?: object,
	): Promise<Answer> {
		const baseUrl = parseBaseUrl(this.settings.baseUrl);
		if ('invalid' in baseUrl) throw new Mismatch(baseUrl.invalid);
		const response = await fetch(baseUrl.url + path, {
			method,
			headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
		}).catch((error: Error) => {
			const { code } = (error.cause ?? {}) as { code?: unknown };
			throw new Mismatch(`${method} got no answer (${String(code ?? error.name)})`);
		});
		const json: unknown = await response.json().catch(() => undefined);
		return { status: response.status, body: (json ?? {}) as Record<string, unknown> };
	}
}
