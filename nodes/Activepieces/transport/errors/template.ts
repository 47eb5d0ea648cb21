/** The names of the parts that a template has. */
export type PartsIn<Template extends string> =
	Template extends `${string}{${infer Part}}${infer Rest}` ? Part | PartsIn<Rest> : never;

export type Parts<Name extends string = string> = Record<Name, string | undefined>;

const PART = /\{(\w+)\}/g;

/** A piece of a template: `[optional]`, `[optional|otherwise]`, or what stands between those */
const PIECE = /\[([^[\]|]*)(?:\|([^[\]|]*))?\]|[^[\]]+/g;

const fillPiece = (piece: string, parts: Parts): string =>
	piece.replace(PART, (_part, name: string) => parts[name] ?? '');

const isKnown = (piece: string, parts: Parts): boolean =>
	[...piece.matchAll(PART)].every(([, name]) => parts[name] !== undefined);

/**
 * Fills the parts of a text in: `{name}`. What stands in brackets is left out when a part in it is not
 * known; `[one|other]` becomes the other one then. Parts are taken as they are, whatever they hold.
 */
export function fillTemplate<Template extends string>(
	template: Template,
	parts: Parts<PartsIn<Template>>,
): string {
	return template.replace(PIECE, (piece, optional: string | undefined, otherwise = '') => {
		if (optional === undefined) return fillPiece(piece, parts);
		return fillPiece(isKnown(optional, parts) ? optional : otherwise, parts);
	});
}
