import type { Fault, FaultKind, RecordedRequest } from './types';

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

/** What takes the place of the normal answer, or comes before it. */
interface Instead {
	/** ms to wait before anything else */
	delay: number;
	reset?: 'beforeHeaders' | 'inBody';
	answer?: AnswerKind;
}

/** What the faults that strike one request do to it. */
export interface Strikes extends Instead {
	/** the same, once the service has done what it was asked */
	late: Instead;
	slowBody?: number;
	truncated?: { unframed?: true };
	/** replaces `next` of a list */
	next?: { value: string | null };
	pageCap?: number;
}

interface Armed {
	fault: Fault;
	seen: number;
	struck: number;
}

const ANSWERS = ['status', 'html', 'empty', 'noContent', 'body', 'answers', 'redirect'];

const isAnswer = (kind: FaultKind): boolean => ANSWERS.some((key) => key in kind);

function matches({ method, path }: Fault, request: { method: string; path: string }): boolean {
	if (method !== undefined && method.toUpperCase() !== request.method) return false;
	if (path === undefined) return true;
	return typeof path === 'string' ? path === request.path : request.path.search(path) !== -1;
}

function add(strikes: Strikes, { kind, done }: Fault, request: RecordedRequest, n: number): void {
	const instead = done === true ? strikes.late : strikes;
	if ('delay' in kind) instead.delay += kind.delay;
	else if ('reset' in kind) (kind.reset === 'inBody' ? strikes : instead).reset = kind.reset;
	else if ('slowBody' in kind) strikes.slowBody = kind.slowBody;
	else if ('truncated' in kind) strikes.truncated = kind;
	else if ('pageCap' in kind) strikes.pageCap = kind.pageCap;
	else if ('next' in kind) {
		strikes.next = { value: typeof kind.next === 'function' ? kind.next(n) : kind.next };
	} else if ('answers' in kind) instead.answer = { body: kind.answers(request, n) };
	else instead.answer = kind;
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
	strike(request: RecordedRequest): Strikes {
		const strikes: Strikes = { delay: 0, late: { delay: 0 } };
		for (const armed of this.armed) {
			const { after = 0, times = Infinity, kind } = armed.fault;
			if (!matches(armed.fault, request)) continue;
			armed.seen++;
			if (armed.seen <= after || armed.struck >= times) continue;
			if (isAnswer(kind) && (strikes.answer ?? strikes.late.answer)) continue;
			armed.struck++;
			add(strikes, armed.fault, request, armed.struck);
		}
		return strikes;
	}
}
