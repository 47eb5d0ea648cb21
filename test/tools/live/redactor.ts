import type { AnyCredential } from '../../engine/harness/credentials';

/** What the node quotes: parameters, and names, which may contain quotes. */
const QUOTED = /"(?:cursor|folderId|limit|projectId|status|type|versionState)"|(".*")/gs;

/** Removes what does not belong in a bug report from messages: secrets, URLs, names and email addresses. */
export class Redactor {
	private readonly secrets: string[];
	/** The longest first, so that none is cut by another. */
	private readonly addresses: string[];

	constructor({ baseUrl, ...login }: AnyCredential) {
		this.secrets = Object.values(login as Record<string, string>);
		const { origin, host, hostname } = new URL(URL.canParse(baseUrl) ? baseUrl : 'http://x');
		this.addresses = [baseUrl, baseUrl.replace(/\/+$/, ''), origin, host, hostname];
	}

	/**
	 * A message of the node without anything personal. The node quotes names; texts of the server are left out.
	 */
	message(text: string): string {
		const without = (rest: string, address: string) => rest.replaceAll(address, '<Base URL>');
		return this.addresses
			.reduce(without, this.secretsOnly(text))
			.replace(/https?:\/\/[^\s"'<>,]+/g, '<address>')
			.replace(/[^\s"'<>()]+@[^\s"'<>(),]+/g, '<email>')
			.replace(/Activepieces says: .*$/s, 'Activepieces says: …')
			.replace(QUOTED, (whole, name?: string) => (name === undefined ? whole : '"…"'));
	}

	/** A text of this command itself, which contains no names; secrets are redacted anyway. */
	secretsOnly(text: string): string {
		return this.secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text);
	}
}
