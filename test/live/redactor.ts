import type { AnyCredential } from '../engine/harness/credentials';

/** What the node quotes: parameters, of which is told what is wrong with them, and names, which may hold quotes. */
const QUOTED = /"(?:cursor|folderId|limit|projectId|status|type|versionState)"|(".*")/gs;

/** Takes out of messages what does not belong in a bug report: secrets, addresses, names and e-mails. */
export class Redactor {
	private readonly secrets: string[];
	/** The longest first, so that none is cut by another. */
	private readonly addresses: string[];

	constructor({ baseUrl, ...login }: AnyCredential) {
		this.secrets = Object.values(login as Record<string, string>);
		const { origin, host, hostname } = URL.canParse(baseUrl)
			? new URL(baseUrl)
			: new URL('http://x');
		this.addresses = [baseUrl, baseUrl.replace(/\/+$/, ''), origin, host, hostname];
	}

	/** A message of the node without anything personal. The node quotes names; what the server says is left out. */
	message(text: string): string {
		let redacted = this.secretsOnly(text);
		for (const address of this.addresses) redacted = redacted.replaceAll(address, '<Base URL>');
		return redacted
			.replace(/https?:\/\/[^\s"'<>,]+/g, '<address>')
			.replace(/[^\s"'<>()]+@[^\s"'<>(),]+/g, '<e-mail>')
			.replace(/Activepieces says: .*$/s, 'Activepieces says: …')
			.replace(QUOTED, (whole, name?: string) => (name === undefined ? whole : '"…"'));
	}

	/** A text of this command itself, which holds no names; what must never be seen is taken out all the same. */
	secretsOnly(text: string): string {
		return this.secrets.reduce((redacted, secret) => redacted.replaceAll(secret, '***'), text);
	}
}
