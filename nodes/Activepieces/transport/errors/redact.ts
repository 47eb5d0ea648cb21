/** Takes secrets out of a text, wherever the service, an expression or an error put them. */
export function redact(text: string, secrets: Iterable<string>): string {
	let redacted = text;
	for (const secret of secrets) {
		if (secret !== '') redacted = redacted.split(secret).join('***');
	}
	return redacted;
}
