/** Takes the key out of a text, wherever the service or an error put it. */
export function blotOut(text: string, secret: string): string {
	return secret === '' ? text : text.split(secret).join('***');
}
