/** Fields of the service's records that hold what people called things, and who they are. */
const PERSONAL_FIELDS = new Set(['displayName', 'email', 'firstName', 'lastName', 'name']);

/** Shorter single words, such as "HTTP", are words of the node's own messages as well. */
const SHORTEST_WORD = 8;

/** Quoted texts that stay: parameters of the service and of the node, which say what was refused. */
const QUOTED_IDENTIFIER = /^(?:cursor|folderId|limit|projectId|status|type|versionState)$/;

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

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Takes out of messages what does not belong in a bug report: secrets, addresses, names and e-mails. */
export class Redactor {
	private readonly names = new Set<string>();

	/**
	 * @param secrets key, password, e-mail
	 * @param baseUrl as it was given; its host is hidden as well
	 */
	constructor(
		private readonly secrets: string[],
		private readonly baseUrl: string,
	) {}

	/** Remembers the names in what a server answered. */
	learn(value: unknown): void {
		if (Array.isArray(value)) value.forEach((each) => this.learn(each));
		if (typeof value !== 'object' || value === null) return;
		for (const [field, inner] of Object.entries(value)) {
			if (typeof inner === 'string' && PERSONAL_FIELDS.has(field)) this.addName(inner);
			else this.learn(inner);
		}
	}

	/** Remembers the entry of a locator: the name, and what stands in brackets after it. */
	learnEntry(label: string): void {
		this.addName(label);
		this.addName(label.replace(/\s*\([^()]*\)$/, ''));
	}

	/**
	 * A message of the node without anything personal. The node quotes names, and what the server says is
	 * shown only where it is known; names that are found all the same are taken out as well.
	 */
	message(text: string): string {
		let redacted = this.secretsOnly(text);
		for (const address of this.addresses()) redacted = redacted.split(address).join('<Base URL>');
		redacted = redacted
			.replace(/https?:\/\/[^\s"'<>,]+/g, '<address>')
			.replace(/[^\s"'<>()]+@[^\s"'<>(),]+/g, '<e-mail>')
			.replace(SERVER_TEXT, serverText)
			.replace(/"([^"]*)"/g, (whole, quoted: string) =>
				QUOTED_IDENTIFIER.test(quoted) ? whole : '"…"',
			);
		for (const name of this.names) {
			redacted = redacted.replace(
				new RegExp(`(?<![\\p{L}\\p{N}])${escaped(name)}(?![\\p{L}\\p{N}])`, 'gu'),
				'…',
			);
		}
		return redacted;
	}

	/** A text of this command itself, which holds no names; what must never be seen is taken out all the same. */
	secretsOnly(text: string): string {
		return this.secrets
			.filter((secret) => secret !== '')
			.reduce((redacted, secret) => redacted.split(secret).join('***'), text);
	}

	private addName(text: string): void {
		const name = text.trim();
		if (name.length >= SHORTEST_WORD || /\s/.test(name)) this.names.add(name);
	}

	/** The longest first, so that none is cut by another. */
	private addresses(): string[] {
		const { baseUrl } = this;
		if (!URL.canParse(baseUrl)) return baseUrl === '' ? [] : [baseUrl];
		const { origin, host, hostname } = new URL(baseUrl);
		return [baseUrl, baseUrl.replace(/\/+$/, ''), origin, host, hostname].filter(
			(address) => address !== '',
		);
	}
}
