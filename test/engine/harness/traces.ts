import { LoggerProxy, type Logger } from 'n8n-workflow';

import type { RunResult } from './engine';

/** Loads a package as n8n-core itself does; other packages of n8n have their own versions. */
function ofCore<T extends object>(name: string): T {
	const core = requireNative.resolve('n8n-core');
	return requireNative<T>(requireNative.resolve(name, { paths: [core] }));
}

// Its types are those of an ES module, and this file is none.
const { stringify } = jest.requireActual<{ stringify: (value: unknown) => string }>('flatted');

/** Every text that can be reached from a value, including hidden properties and causes. */
export function textsOf(root: unknown): string[] {
	const texts: string[] = [];
	const seen = new Set<unknown>();
	const open = [root];
	while (open.length > 0) {
		const value = open.pop();
		if (typeof value === 'string') texts.push(value);
		if (typeof value !== 'object' || value === null || seen.has(value)) continue;
		seen.add(value);
		for (const key of Reflect.ownKeys(value)) {
			if (typeof key === 'string') texts.push(key);
			open.push((value as Record<PropertyKey, unknown>)[key]);
		}
	}
	return texts;
}

/** What remains of a run: everything reachable from its result, and the run in n8n's database. */
export const tracesOf = (result: RunResult) => [...textsOf(result), stringify(result.run.data)];

/**
 * Everything that n8n logs from now on, at all levels, whatever its setting. Call it after the engine
 * was made, because loading it sets up the log.
 */
export function captureLog(): unknown[] {
	const entries: unknown[] = [];
	const capture = { log: (...entry: unknown[]) => entries.push(entry), child: () => capture };
	const { Container } = ofCore<{ Container: { get: (type: unknown) => Logger } }>('@n8n/di');
	const logger = Container.get(ofCore<{ Logger: unknown }>('@n8n/backend-common').Logger);
	Object.assign(logger, { internalLogger: capture });
	LoggerProxy.init(logger);
	return entries;
}
