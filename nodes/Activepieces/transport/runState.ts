import { type CircuitBreaker, createCircuitBreaker } from './circuitBreaker';
import type { Account } from './credential/account';
import { ActivepiecesError, RunEndedError } from './errors/activepiecesError';
import type { OnCancel } from './deadline';
import { createLimiter, type Limiter } from './limiter';
import { limits } from './limits';
import { createSession, type SendWithSession } from './session';
import { waiting } from './sleep';

/** The names of the projects that a credential may see. */
export interface ProjectNames {
	/** By ID, as far as they were read */
	readonly byId: Map<string, string>;
	/** The reading of all of them, under way or done */
	reading?: Promise<void>;
}

/** What all input items of one node run share. It is gone with the run: n8n stores nothing of it. */
export interface RunState {
	/** Bounds the requests in flight */
	readonly limitRequests: Limiter;
	/** Bounds how many large bodies are read at once */
	readonly limitLargeBodies: Limiter;
	/**
	 * Counts what the run keeps of answers until it has ended.
	 *
	 * @param bytes about what it takes
	 * @throws {ActivepiecesError} when it is more than n8n can store
	 */
	keep(bytes: number): void;
	/** The circuit breaker of a server; input items may have credentials of their own */
	circuitBreaker(baseUrl: string): CircuitBreaker;
	/** The session of an account; input items may have credentials of their own */
	sendWithSession(account: Account): SendWithSession;
	/** The names of the projects of a credential, which input items may have of their own */
	projectNames(credential: string): ProjectNames;
	/** Ends the run: requests in flight go on, no other is sent, and waits end at once */
	stop(): void;
	/** Resolves when no request is in flight any more; some are read ahead of need */
	settled(): Promise<void>;
	/** For requests in flight, which end when the workflow is cancelled, also after the run was stopped */
	readonly onCancel: OnCancel;
	readonly isCancelled: boolean;
	/** Stopped or cancelled */
	readonly isEnded: boolean;
	/** @throws {RunEndedError} when the run was stopped or the workflow cancelled */
	throwIfEnded(): void;
	/**
	 * Waits so many milliseconds.
	 *
	 * @returns false, at once, when the run is stopped or the workflow cancelled meanwhile
	 */
	wait(ms: number): Promise<boolean>;
}

export interface RunStateOptions {
	/** Aborts when the workflow is cancelled */
	cancelSignal?: AbortSignal;
	/** A poll of a trigger, which nobody has asked for */
	isUnattended?: boolean;
}

export function createRunState({
	cancelSignal,
	isUnattended = false,
}: RunStateOptions = {}): RunState {
	const circuitBreakers = new Map<string, CircuitBreaker>();
	const sessions = new Map<string, SendWithSession>();
	const projectNames = new Map<string, ProjectNames>();
	const limiter = createLimiter(limits.maxConcurrency);
	let keptBytes = 0;
	const inFlight = new Set<Promise<unknown>>();
	// One for each wait: Node.js warns of a leak when a signal has more than ten listeners.
	const waits = new Set<AbortController>();
	const cancelListeners = new Set<() => void>();
	let isStopped = false;

	// The signal is that of the whole execution, which may run the node thousands of times.
	// One listener for the run, since Node.js warns of a leak when there are more than ten.
	const detach = () => {
		if (isStopped && cancelListeners.size === 0) {
			cancelSignal?.removeEventListener('abort', cancel);
		}
	};
	const stop = () => {
		isStopped = true;
		for (const controller of waits) controller.abort();
		detach();
	};
	const cancel = () => {
		for (const listener of cancelListeners) listener();
		stop();
	};
	if (cancelSignal?.aborted) stop();
	else cancelSignal?.addEventListener('abort', cancel);
	const onCancel: OnCancel = (listener) => {
		if (cancelSignal?.aborted) listener();
		cancelListeners.add(listener);
		return () => {
			cancelListeners.delete(listener);
			detach();
		};
	};

	const throwIfEnded = () => {
		if (isStopped) throw new RunEndedError();
	};
	const wait = async (ms: number): Promise<boolean> => {
		if (isStopped) return false;
		const controller = new AbortController();
		waits.add(controller);
		await waiting.sleep(ms, controller.signal);
		waits.delete(controller);
		return !isStopped;
	};

	return {
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
		keep(bytes) {
			keptBytes += bytes;
			if (keptBytes <= limits.maxOutputBytes) return;
			throw new ActivepiecesError(
				{
					message: `The output is larger than n8n can store (${limits.maxOutputBytes / 2 ** 20} MB)`,
					description:
						'Turn on Simplify, use Limit or filters, or give the node fewer input items.',
				},
				// The server has done what it was asked.
				{ isAmbiguous: true },
			);
		},
		circuitBreaker(baseUrl) {
			const circuitBreaker = circuitBreakers.get(baseUrl) ?? createCircuitBreaker();
			circuitBreakers.set(baseUrl, circuitBreaker);
			return circuitBreaker;
		},
		sendWithSession(account) {
			// With the password, since another item may have the right one.
			const key = JSON.stringify([account.baseUrl, account.email, account.password]);
			const session =
				sessions.get(key) ?? createSession(account, { wait, throwIfEnded, isUnattended });
			sessions.set(key, session);
			return session;
		},
		projectNames(credential) {
			const names = projectNames.get(credential) ?? { byId: new Map<string, string>() };
			projectNames.set(credential, names);
			return names;
		},
		stop,
		onCancel,
		get isCancelled() {
			return cancelSignal?.aborted === true;
		},
		get isEnded() {
			return isStopped;
		},
		throwIfEnded,
		wait,
	};
}
