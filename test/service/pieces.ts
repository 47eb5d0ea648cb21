import { madeAt, makeId } from './ids';

/** The types of connections whose value a worker checks with the piece. */
export const CHECKED = ['SECRET_TEXT', 'BASIC_AUTH', 'CUSTOM_AUTH'] as const;

type AuthType = (typeof CHECKED)[number] | 'OAUTH2';

export type PieceRecord = ReturnType<typeof makePiece>;

/** A piece that is installed, as its list shows it (read in the service's source, much is left out). */
export function makePiece(name: string, version: string, auth?: AuthType) {
	const short = name.replace('@activepieces/piece-', '');
	const displayName = short.replace(
		/(^|-)(\w)/g,
		(_, dash: string, letter: string) => `${dash && ' '}${letter.toUpperCase()}`,
	);
	return {
		...madeAt(makeId(`piece/${name}`), '2026-01-01T06:00:00.000Z'),
		name,
		displayName,
		description: `Piece of ${displayName}`,
		logoUrl: `https://example.test/pieces/${short}.png`,
		version,
		auth: auth && { type: auth, displayName: 'Connection', required: true },
		authors: [] as string[],
		categories: [] as string[],
		actions: 2,
		triggers: 1,
		packageType: 'REGISTRY',
		pieceType: 'OFFICIAL',
	};
}

const INSTALLED: Array<[name: string, version: string, auth?: AuthType]> = [
	['gmail', '0.10.3', 'OAUTH2'],
	['http', '0.9.4'],
	['openai', '0.5.2', 'CUSTOM_AUTH'],
	['pastebin', '0.1.0', 'CUSTOM_AUTH'],
	['slack', '0.12.1', 'OAUTH2'],
	['telegram-bot', '0.2.0', 'SECRET_TEXT'],
	['twilio', '0.4.0', 'BASIC_AUTH'],
];

export const installedPieces = () =>
	INSTALLED.map(([name, version, auth]) => makePiece(`@activepieces/piece-${name}`, version, auth));

/** Pieces of the stand-in's flows, which a server has in all versions. */
const IN_ALL_VERSIONS = ['http', 'schedule', 'subflows', 'manual-trigger', 'webhook'];

export const isInAllVersions = (name: string): boolean =>
	IN_ALL_VERSIONS.some((short) => name === `@activepieces/piece-${short}`);

/** Whether a version is the wanted one, or in its range: `~0.5.1` and `^1.2.0`. */
export function isInRange(version: string, wanted: string | undefined): boolean {
	const [, range, from] = /^([~^]?)(.*)$/.exec(wanted ?? '')!;
	if (from === '' || version === from) return true;
	const [major, minor, patch] = version.split('.').map(Number);
	const [fromMajor, fromMinor, fromPatch] = from.split('.').map(Number);
	if (range === '' || major !== fromMajor) return false;
	if (range === '~' || major === 0) return minor === fromMinor && patch >= fromPatch;
	return minor > fromMinor || (minor === fromMinor && patch >= fromPatch);
}

interface Value {
	type: string;
	props?: Record<string, unknown>;
}

/** Pieces with a check of their own, which all others lack: they take whatever is sent (recorded). */
const CHECKS = new Map<string, (value: Value) => string | undefined>([
	[
		'@activepieces/piece-openai',
		({ type, props }) => {
			if (type !== 'CUSTOM_AUTH') {
				return `Connection value type does not match piece auth type: CUSTOM_AUTH !== ${type}`;
			}
			return String(props?.apiKey).startsWith('sk-') ? undefined : 'Invalid API key';
		},
	],
]);

/** Why the check of a piece refuses a value; undefined when it does not. */
export const refusalOf = (pieceName: string, value: Value): string | undefined =>
	CHECKS.get(pieceName)?.(value);
