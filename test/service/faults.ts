import type { Fault, FaultKind } from './types';

/** Faults that take the place of the normal answer. */
export type AnswerKind = Extract<
	FaultKind,
	| { status: number; shape?: string }
	| { html: true }
	| { empty: true }
	| { noContent: true }
	| { body: unknown }
	| { redirect: string }
>;

/** What the faults that strike one request do to it. */
export interface Strikes {
	/** ms to wait before anything else */
	delay: number;
	reset?: 'beforeHeaders' | 'inBody';
	answer?: AnswerKind;
	slowBody?: number;
	truncated?: boolean;
	/** replaces `next` of a list */
	next?: { value: string | null };
	pageCap?: number;
}

interface Armed {
	fault: Fault;
	seen: number;
	struck: number;
}

function isAnswer(kind: FaultKind): kind is AnswerKind {
	return ['status', 'html', 'empty', 'noContent', 'body', 'redirect'].some((key) => key in kind);
}

function matches({ method, path }: Fault, request: { method: string; path: string }): boolean {
	if (method !== undefined && method.toUpperCase() !== request.method) return false;
	if (path === undefined) return true;
	return typeof path === 'string' ? path === request.path : request.path.search(path) !== -1;
}

function add(strikes: Strikes, kind: FaultKind, n: number): void {
	if ('delay' in kind) strikes.delay += kind.delay;
	else if ('reset' in kind) strikes.reset = kind.reset;
	else if ('slowBody' in kind) strikes.slowBody = kind.slowBody;
	else if ('truncated' in kind) strikes.truncated = true;
	else if ('pageCap' in kind) strikes.pageCap = kind.pageCap;
	else if ('next' in kind) {
		strikes.next = { value: typeof kind.next === 'function' ? kind.next(n) : kind.next };
	} else strikes.answer = kind;
}

/** The faults of a service, in order of arrival. */
export class Faults {
	private armed: Armed[] = [];

	add(fault: Fault): void {
		this.armed.push({ fault, seen: 0, struck: 0 });
	}

	clear(): void {
		this.armed = [];
	}

	/**
	 * Counts a request against every fault it matches and gives what they do to it together. Of several
	 * that would answer it only the first strikes, so that two faults with `times: 1` answer two requests.
	 */
	strike(request: { method: string; path: string }): Strikes {
		const strikes: Strikes = { delay: 0 };
		for (const armed of this.armed) {
			const { after = 0, times = Infinity, kind } = armed.fault;
			if (!matches(armed.fault, request)) continue;
			armed.seen++;
			if (armed.seen <= after || armed.struck >= times) continue;
			if (isAnswer(kind) && strikes.answer) continue;
			armed.struck++;
			add(strikes, kind, armed.struck);
		}
		return strikes;
	}
}
