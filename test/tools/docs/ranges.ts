/** Names in their order, with numbers that follow each other as one range: `502`, `503` as `502-503`. */
export function inRanges(names: string[], dash = '-'): string[] {
	const ranges: string[][] = [];
	for (const name of names) {
		const last = ranges.at(-1);
		if (last !== undefined && Number(name) === Number(last.at(-1)) + 1) last.push(name);
		else ranges.push([name]);
	}
	return ranges.map(([first, ...more]) => [first, ...more.slice(-1)].join(dash));
}
