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
	/** requests that have to have been in flight at once before anything else */
	untilInFlight?: number;
	reset?: 'beforeHeaders' | 'inBody';
	answer?: AnswerKind;
}

/** What the faults that apply to one request do to it. */
export interface AppliedFaults extends Instead {
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
	applied: number;
}

const ANSWERS = ['status', 'html', 'empty', 'noContent', 'body', 'answers', 'redirect'];

const isAnswer = (kind: FaultKind): boolean => ANSWERS.some((key) => key in kind);

function matches({ method, path, projectId }: Fault, request: RecordedRequest): boolean {
	if (projectId !== undefined && request.query.projectId !== projectId) return false;
	if (method !== undefined && method.toUpperCase() !== request.method) return false;
	if (path === undefined) return true;
	return typeof path === 'string' ? path === request.path : request.path.search(path) !== -1;
}

function add(
	applied: AppliedFaults,
	{ kind, done }: Fault,
	request: RecordedRequest,
	n: number,
): void {
	const instead = done === true ? applied.late : applied;
	if ('delay' in kind) instead.delay += kind.delay;
	else if ('untilInFlight' in kind) instead.untilInFlight = kind.untilInFlight;
	else if ('reset' in kind) (kind.reset === 'inBody' ? applied : instead).reset = kind.reset;
	else if ('slowBody' in kind) applied.slowBody = kind.slowBody;
	else if ('truncated' in kind) applied.truncated = kind;
	else if ('pageCap' in kind) applied.pageCap = kind.pageCap;
	else if ('next' in kind) {
		applied.next = { value: typeof kind.next === 'function' ? kind.next(n) : kind.next };
	} else if ('answers' in kind) instead.answer = { body: kind.answers(request, n) };
	else instead.answer = kind;
}

/** The faults of a service, in order of arrival. */
export class Faults {
	private armed: Armed[] = [];

	add(fault: Fault): void {
		this.armed.push({ fault, seen: 0, applied: 0 });
	}

	clear(): void {
		this.armed = [];
	}

	/**
	 * Counts a request against every fault it matches and gives what they do to it together. Of several
	 * that would answer it only the first applies, so that two faults with `times: 1` answer two requests.
	 */
	apply(request: RecordedRequest): AppliedFaults {
		const applied: AppliedFaults = { delay: 0, late: { delay: 0 } };
		for (const armed of this.armed) {
			const { after = 0, times = Infinity, kind } = armed.fault;
			if (!matches(armed.fault, request)) continue;
			armed.seen++;
			if (armed.seen <= after || armed.applied >= times) continue;
			if (isAnswer(kind) && (applied.answer ?? applied.late.answer)) continue;
			armed.applied++;
			add(applied, armed.fault, request, armed.applied);
		}
		return applied;
	}
}
