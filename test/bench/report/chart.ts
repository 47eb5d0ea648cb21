/** One bar. */
export interface Bar {
	label: string;
	/** NaN where there is no figure */
	value: number;
	/** Drawn in the colour of what the picture is about */
	isOurs: boolean;
	/** Stands in the place of a missing figure */
	missing?: string;
}

export interface Group {
	title: string;
	bars: Bar[];
}

const WIDTH = 860;
const LABELS = 300;
const FIGURES = 84;
const ROW = 22;
const BAR = 14;
const TITLE = 34;
const HEAD = 44;
/** Longer bars are cut: what is compared lies near 1. */
const MOST = 5;

const SCALE = (WIDTH - LABELS - FIGURES) / MOST;

/** Each theme brings its own paper, since a page may be dark where the system is light. */
const STYLE = `
	svg { --paper: #fff; --ink: #1f2328; --faint: #d1d9e0; --ours: #6e41e2; --others: #8c959f }
	@media (prefers-color-scheme: dark) {
		svg { --paper: #0d1117; --ink: #e6edf3; --faint: #3d444d; --ours: #a98bff; --others: #6e7681 }
	}
	text { font: 13px system-ui, sans-serif; fill: var(--ink) }
	.head { font-weight: 600; font-size: 15px }
	.title { font-weight: 600 }
	.paper { fill: var(--paper) }
	.ours { fill: var(--ours) }
	.others { fill: var(--others) }
	.line { stroke: var(--faint) }
	.one { stroke: var(--ink); stroke-dasharray: 3 3 }`;

const escaped = (text: string) => text.replace(/[<>&"]/g, (each) => `&#${each.charCodeAt(0)};`);

const textAt = (x: number, y: number, text: string, kind = '', anchor = 'start') =>
	`<text x="${x}" y="${y}" text-anchor="${anchor}" class="${kind}">${escaped(text)}</text>`;

function barAt(y: number, { label, value, isOurs, missing }: Bar): string {
	const middle = y + BAR - 3;
	const name = textAt(LABELS - 8, middle, label, isOurs ? 'title' : '', 'end');
	if (Number.isNaN(value)) return name + textAt(LABELS + 6, middle, missing ?? 'not measured');
	const length = Math.min(value, MOST) * SCALE;
	const isCut = value > MOST;
	return [
		name,
		`<rect x="${LABELS}" y="${y}" width="${length.toFixed(1)}" height="${BAR}" rx="2" class="${isOurs ? 'ours' : 'others'}"/>`,
		textAt(LABELS + length + 6, middle, `${value.toFixed(2)}${isCut ? ' →' : ''}`),
	].join('');
}

/**
 * Draws grouped bars with a line at 1.
 * @returns the text of an SVG file, for light and dark
 */
export function drawBars(title: string, groups: Group[]): string {
	const parts: string[] = [];
	let y = HEAD;
	for (const { title: groupTitle, bars } of groups) {
		parts.push(textAt(16, y + 20, groupTitle, 'title'));
		y += TITLE;
		for (const bar of bars) {
			parts.push(barAt(y, bar));
			y += ROW;
		}
	}
	const lines = Array.from({ length: MOST + 1 }, (_, value) => {
		const x = LABELS + value * SCALE;
		return `<line x1="${x}" x2="${x}" y1="${HEAD}" y2="${y + 4}" class="${value === 1 ? 'one' : 'line'}"/>${textAt(x, y + 20, `× ${value}`, '', 'middle')}`;
	});
	const height = y + 34;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">`,
		`<style>${STYLE}\n</style>`,
		`<rect width="${WIDTH}" height="${height}" class="paper"/>`,
		textAt(16, 26, title, 'head'),
		...lines,
		...parts,
		'</svg>',
		'',
	].join('\n');
}
