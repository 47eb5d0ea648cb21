/** A Markdown table, aligned for the terminal as well; the first row is its head. */
export function markdownTable(rows: string[][]): string {
	const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
	const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
	const [head, ...body] = rows.map((row) =>
		line(row.map((cell, column) => cell.padEnd(widths[column]))),
	);
	return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}
