import type { Fault, FaultKind, RecordedRequest } from './types';

/** Faults that replace the normal response. */
export type AnswerKind = Extract<
	FaultKind,
	| { status: number; shape?: string }
	| { html: true }
	| { empty: true }
	| { noContent: true }
	| { body: unknown }
	| { redirect: string }
>;

/** What replaces the normal response, or precedes it. */
interface Instead {
	/** ms to wait first */
	delay: number;
	/** Number of requests that must have been in flight at once first */
	untilInFlight?: number;
	reset?: 'beforeHeaders' | 'inBody';
	answer?: AnswerKind;
}

/** The effect of all faults on one request. */
export interface AppliedFaults extends Instead {
	/** The same, after the service has carried out the request */
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
	 * Counts a request for every fault that it matches and returns their combined effect. Of several faults
	 * that would respond only the first applies, so two faults with `times: 1` respond to two requests.
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
