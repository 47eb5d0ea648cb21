// Reads recordings of real servers: Markdown with one HTTP exchange after the other, in two forms.

/** @typedef {{number: number, section: string, title: string, method: string, target: string, headers: Record<string, string>, body: string, status: number, type: string | null, answer: string}} Exchange */

/**
 * The form of exchanges-<release>.md: `### n. title  →  status`, then request and response as sent.
 * @returns {Exchange[]}
 */
export function parseExchanges(markdown) {
	const exchanges = [];
	let section = '';
	for (const part of markdown.split(/^(?=### \d+\. |## )/m)) {
		if (part.startsWith('## ')) section = part.slice(3, part.indexOf('\n'));
		const match = /^### (\d+)\. (.*?) {2}→ {2}(\d+)\n```http\n([^]*?)\n```/.exec(part);
		if (!match) continue;
		const [, number, title, status, text] = match;
		const split = text.indexOf('\nHTTP/1.1 ');
		const request = parseHead(text.slice(0, split));
		const response = parseHead(text.slice(split + 1));
		const [method, target] = request.first.split(/ (.*)/);
		exchanges.push({
			number: Number(number),
			section,
			title,
			method,
			target,
			headers: request.headers,
			body: request.body.replace(/\n$/, ''),
			status: Number(status),
			type: response.headers['content-type']?.split(';')[0] ?? null,
			answer: response.body,
		});
	}
	return exchanges;
}

/**
 * The form of the other recordings: `**n.** title`, then request, `HTTP status`, type and answer, apart by
 * empty lines. Long answers are shortened: lists by `"…n more"`, objects by `"…"`.
 * @returns {Exchange[]}
 */
export function parseShortExchanges(markdown) {
	const exchanges = [];
	let section = '';
	for (const part of markdown.split(/^(?=\*\*\d+\.\*\*|#{2,3} )/m)) {
		if (part.startsWith('#')) section = part.slice(0, part.indexOf('\n')).replace(/^#+ /, '');
		const match = /^\*\*(\d+)\.\*\*(.*)\n```http\n([^]*?)\n```/.exec(part);
		if (!match) continue;
		const [, number, title, text] = match;
		const [head, ...rest] = text.split(/\n\n(?=HTTP \d)/);
		const request = parseHead(head);
		const [method, target] = request.first.split(/ (.*)/);
		const response = parseHead(rest.join('\n\n'));
		const type = response.headers['content-type'].split(';')[0];
		exchanges.push({
			number: Number(number),
			section,
			title: title.trim(),
			method,
			target,
			headers: request.headers,
			body: request.body,
			status: Number(/^HTTP (\d+)/.exec(response.first)[1]),
			type: type === '(none)' ? null : type,
			answer: response.body
				.replace(/^\(empty body\)$/, '')
				.replace(/ {3}⟵ shortened; \d+ characters in all$/, ''),
		});
	}
	return exchanges;
}

function parseHead(text) {
	const end = text.indexOf('\n\n');
	const [first, ...lines] = (end < 0 ? text : text.slice(0, end)).replace(/\n$/, '').split('\n');
	const headers = {};
	for (const line of lines.filter((line) => !line.startsWith('('))) {
		const [name, value] = line.split(/:(.*)/);
		headers[name.toLowerCase()] = value.replace(/^ /, '');
	}
	return { first, headers, body: end < 0 ? '' : text.slice(end + 2) };
}
