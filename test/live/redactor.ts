/** What the node puts before a text of the server. */
const SERVER_TEXT = /Activepieces says: .*$/s;

/** Texts of the server that hold nobody's words. */
const KNOWN_SERVER_TEXTS = [
	"Cannot read properties of undefined (reading 'type')",
	'fetch failed',
	'invalid access token or session expired',
	'invalid api key',
	'invalid project id',
	'missing project id in request',
	'Project must be a team project',
	'User is not an admin/owner of the platform.',
	'User is not owner of the platform',
];

/** The text of a server is shown only where it is known; what follows it is the node's own advice. */
function serverText(told: string): string {
	const known = KNOWN_SERVER_TEXTS.find((text) => told.startsWith(`Activepieces says: ${text}. `));
	return known === undefined ? 'Activepieces says: …' : told;
}

/** What the node quotes: what was refused of the service's and its own parameters, which stays, and names, which may hold quotes. */
const QUOTED = /"(?:cursor|folderId|limit|projectId|status|type|versionState)"|(".*")/gs;

/** Takes out of messages what does not belong in a bug report: secrets, addresses, names and e-mails. */
export class Redactor {
	/**
	 * @param secrets key, password, e-mail
	 * @param baseUrl as it was given; its host is hidden as well
	 */
	constructor(
		private readonly secrets: string[],
		private readonly baseUrl: string,
	) {}

	/** A message of the node without anything personal. The node quotes names. */
	message(text: string): string {
		let redacted = this.secretsOnly(text);
		for (const address of this.addresses()) redacted = redacted.replaceAll(address, '<Base URL>');
		return redacted
			.replace(/https?:\/\/[^\s"'<>,]+/g, '<address>')
			.replace(/[^\s"'<>()]+@[^\s"'<>(),]+/g, '<e-mail>')
			.replace(SERVER_TEXT, serverText)
			.replace(QUOTED, (whole, name?: string) => (name === undefined ? whole : '"…"'));
	}

	/** A text of this command itself, which holds no names; what must never be seen is taken out all the same. */
	secretsOnly(text: string): string {
		return this.secrets
			.filter((secret) => secret !== '')
			.reduce((redacted, secret) => redacted.replaceAll(secret, () => '***'), text);
	}

	/** The longest first, so that none is cut by another. */
	private addresses(): string[] {
		const { baseUrl } = this;
		if (!URL.canParse(baseUrl)) return [baseUrl];
		const { origin, host, hostname } = new URL(baseUrl);
		return [baseUrl, baseUrl.replace(/\/+$/, ''), origin, host, hostname].filter(Boolean);
	}
}
