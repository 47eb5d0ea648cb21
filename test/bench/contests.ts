import { CONTESTANTS, type Name } from './contestants';
import { BULK, type BulkKind } from './contestants/bulk';
import type { Task } from './contestants/contestant';

/** Contestants side by side over the same work. */
export interface Contest {
	kind: Task['kind'];
	/** Flows listed, or input items with an id each */
	size: number;
	/** Action steps of each flow, which is how large it is */
	steps: number;
	tls: boolean;
	/** ms before each answer of the service */
	delay: number;
	names: Name[];
	/** What it shows: speed beside others, growth with the number of items, or the memory that is needed */
	about: 'speed' | 'load' | 'memory';
}

/** How often a contestant is measured; 0 and the reason when it is left out. */
export interface Rounds {
	rounds: number;
	reason?: string;
}

const LISTING: Name[] = [
	'rawAxios',
	'rawUndici',
	'theNode',
	'genericPagination',
	'httpRequestLarge',
	'httpRequestDefault',
];
const MANY: Name[] = ['rawAxios', 'theNode', 'httpRequestAtOnce', 'httpRequestBatched'];
const LOAD: Name[] = ['rawAxios', 'theNode'];
const MEMORY: Name[] = ['rawAxios', 'theNode', 'theNodeSimplified'];

const FULL = {
	list: [1000, 10_000, 100_000],
	many: [1000, 10_000],
	load: [1000, 20_000],
	memory: 10_000,
};
const QUICK = { list: [100, 1000], many: [100, 1000], load: [100, 1000], memory: 1000 };

export interface Wishes {
	quick: boolean;
	/** Action steps of the flows in the contest of memory */
	steps: number;
}

/** What a contest is like where it says nothing else: small flows, over HTTP, from next door. */
const USUAL = { steps: 3, tls: false, delay: 0 };

/** All contests; those that need the same service come one after the other. */
export function allContests({ quick, steps }: Wishes): Contest[] {
	const sizes = quick ? QUICK : FULL;
	const list = [false, true].flatMap((tls) =>
		sizes.list.flatMap((size) =>
			[0, 30].map(
				(delay): Contest => ({
					...USUAL,
					kind: 'list',
					size,
					tls,
					delay,
					names: LISTING,
					about: 'speed',
				}),
			),
		),
	);
	const many = sizes.many.flatMap((size) =>
		(['get', 'delete'] as const).flatMap((kind) =>
			[0, 10, 30].map(
				(delay): Contest => ({
					...USUAL,
					kind,
					size,
					delay,
					names: MANY,
					about: 'speed',
				}),
			),
		),
	);
	const load = (Object.keys(BULK) as BulkKind[]).flatMap((kind) =>
		sizes.load.map((size): Contest => ({ ...USUAL, kind, size, names: LOAD, about: 'load' })),
	);
	const memory: Contest = {
		...USUAL,
		kind: 'list',
		size: sizes.memory,
		steps,
		names: MEMORY,
		about: 'memory',
	};
	return [...list, ...many, ...load, memory];
}

const VERBS = { get: 'get', update: 'update', delete: 'delete', deleteTemplate: 'delete' };

/** For `--only` and the lines printed: `list 10000 flows, http, 30 ms`. */
export function titleOf({ kind, size, tls, delay, steps, about }: Contest): string {
	return [
		kind === 'list' ? `list ${size} flows` : `${VERBS[kind]} ${size} ${BULK[kind].things}`,
		...(about === 'memory' ? [`${steps} steps each`] : []),
		...(about === 'speed' ? [] : [about]),
		tls ? 'https' : 'http',
		`${delay} ms`,
	].join(', ');
}

/** What a request on a new connection takes at least, on the slowest machine this is likely to run on. */
const REQUEST_MS = 3;

/** Seconds that the waiting alone takes. */
function leastSeconds({ kind, size, delay }: Contest, name: Name): number {
	if (kind === 'list') return ((size / CONTESTANTS[name].pageSize) * (delay + REQUEST_MS)) / 1000;
	if (name === 'httpRequestBatched') return size / 50 - 1;
	return ((size / 10) * delay) / 1000;
}

const TOO_LONG_S = 60;
const LONG_S = 15;
const LONG_ROUNDS = 3;

/** Fewer rounds of what takes long, where the noise of the machine weighs less anyway, or of what is many. */
export function roundsOf(contest: Contest, name: Name, most: number): Rounds {
	const seconds = leastSeconds(contest, name);
	if (seconds > TOO_LONG_S) {
		return { rounds: 0, reason: `left out, ${Math.round(seconds)} s of waiting` };
	}
	if (contest.about === 'load') return { rounds: Math.min(LONG_ROUNDS, most) };
	if (name === 'httpRequestBatched' || CONTESTANTS[name].pageSize * 100 < contest.size) {
		return { rounds: 1 };
	}
	return { rounds: seconds > LONG_S ? Math.min(LONG_ROUNDS, most) : most };
}
