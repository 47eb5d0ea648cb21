import type { Account } from './credential';
import type { OnCancel } from './deadline';
import { ActivepiecesError } from './error';
import { createLimiter, type Limiter } from './limiter';
import { limits } from './limits';
import { type CircuitBreaker, createCircuitBreaker } from './retry';
import { RunEnd } from './runEnd';
import { Session } from './session';

/** The names of the projects that a credential may see. */
export interface ProjectNames {
	/** Keyed by ID, as far as they were read */
	readonly byId: Map<string, string>;
	/** The read of all names, in progress or complete */
	reading?: Promise<void>;
}

/**
 * What input items with the same credential share during a run. Other modules key what they read by this
 * object (`execution/readOnce.ts`).
 */
export interface PerCredential {
	readonly projectNames: ProjectNames;
}

/** What all input items of one node run share. It disappears with the run: n8n does not store it. */
export interface RunState {
	readonly end: RunEnd;
	/** Limits the requests in flight */
	readonly limitRequests: Limiter;
	/** Limits how many large bodies are read at once */
	readonly limitLargeBodies: Limiter;
	/**
	 * Counts what the run keeps of responses until it ends.
	 *
	 * @param bytes approximate size; negative for what is dropped again
	 * @throws {ActivepiecesError} when it is more than n8n can store
	 */
	keep(bytes: number): void;
	/** The circuit breaker of a server, because input items may have different credentials */
	circuitBreaker(baseUrl: string): CircuitBreaker;
	/** The session of an account, because input items may have different credentials */
	session(account: Account): Session;
	/** What the input items with this credential share */
	perCredential(credential: string): PerCredential;
	/** Resolves when no request is in flight any more, including those that were sent ahead */
	settled(): Promise<void>;
	/** Subscribes to the cancellation of the workflow, for requests in flight, even after the run was stopped */
	readonly onCancel: OnCancel;
}

interface RunStateOptions {
	/** Aborts when the workflow is canceled */
	cancelSignal?: AbortSignal;
	/** Whether this is a poll of a trigger, which nobody watches */
	isUnattended?: boolean;
}

/** Returns the value of a key, which is made once. */
function createRegistry<Value>() {
	const values = new Map<string, Value>();
	return (key: string, make: () => Value): Value => {
		const value = values.get(key) ?? make();
		values.set(key, value);
		return value;
	};
}

/** Counts what a run keeps, and throws when n8n cannot store more. */
function createOutputCounter(): RunState['keep'] {
	let keptBytes = 0;
	return (bytes) => {
		keptBytes += bytes;
		if (keptBytes <= limits.maxOutputBytes) return;
		throw new ActivepiecesError(
			{
				message: `The output is larger than n8n can store (${limits.maxOutputBytes / 2 ** 20} MB)`,
				description: 'Turn on Simplify, use Limit or filters, or give the node fewer input items.',
			},
			// The server has carried out the request.
			{ isAmbiguous: true },
		);
	};
}

export function createRunState({
	cancelSignal,
	isUnattended = false,
}: RunStateOptions = {}): RunState {
	const end = new RunEnd(cancelSignal);
	const circuitBreakers = createRegistry<CircuitBreaker>();
	const sessions = createRegistry<Session>();
	const credentials = createRegistry<PerCredential>();
	const limiter = createLimiter(limits.maxConcurrency);
	const inFlight = new Set<Promise<unknown>>();

	return {
		end,
		async limitRequests(task) {
			const request = limiter(task);
			inFlight.add(request);
			try {
				return await request;
			} finally {
				inFlight.delete(request);
			}
		},
		async settled() {
			await Promise.allSettled(inFlight);
		},
		limitLargeBodies: createLimiter(limits.maxLargeResponses),
		keep: createOutputCounter(),
		circuitBreaker: (baseUrl) => circuitBreakers(baseUrl, createCircuitBreaker),
		session(account) {
			// Includes the password, because another item may have the right one.
			const key = JSON.stringify([account.baseUrl, account.email, account.password]);
			return sessions(key, () => new Session(account, end, isUnattended));
		},
		perCredential: (credential) =>
			credentials(credential, () => ({ projectNames: { byId: new Map<string, string>() } })),
		onCancel: end.onCancel,
	};
}
