import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { restoreLimits } from '../../restoreLimits';
import { limits, skipWaits } from './built';
import type { Credential } from './credentials';
import { createEngine, type Engine, type RunOptions, type SearchOptions } from './engine';

/** The input items and further options of a run. */
type Given = IDataObject[] | Omit<Partial<RunOptions>, 'parameters'>;

/** Runs the node with one credential; see `Engine`. */
export class Runner {
	engine!: Engine;
	credential!: Credential;

	run = async (...given: [INodeParameters, Given?]) =>
		await this.engine.run(this.optionsOf(...given));

	records = async (...given: [INodeParameters, Given?]) =>
		await this.engine.records(this.optionsOf(...given));

	record = async (...given: [INodeParameters, Given?]) => (await this.records(...given))[0];

	failure = async (...given: [INodeParameters, Given?]) =>
		await this.engine.failure(this.optionsOf(...given));

	/**
	 * Runs the node, and compares the error that stops it: a text is the whole message, or part of the
	 * description. Returns the error.
	 */
	failsWith = async (
		parameters: INodeParameters,
		message: string | RegExp,
		description: string | RegExp | Array<string | RegExp> = [],
		given: Given = {},
	) => {
		const error = await this.failure(parameters, given);
		if (typeof message === 'string') expect(error.message).toBe(message);
		else expect(error.message).toMatch(message);
		for (const part of [description].flat()) expect(error.description).toMatch(part);
		return error;
	};

	search = async (method: string, given: Partial<SearchOptions> = {}) =>
		await this.engine.search(method, { credential: this.credential, ...given });

	loadOptions = async (method: string, given: Partial<SearchOptions> = {}) =>
		await this.engine.loadOptions(method, { credential: this.credential, ...given });

	private optionsOf(parameters: INodeParameters, given: Given = {}): RunOptions {
		const more = Array.isArray(given) ? { items: given } : given;
		return { credential: this.credential, parameters, ...more };
	}
}

/**
 * Starts the engine for the tests of a block. Limits that a test changes are restored. Requests are repeated
 * without waiting, unless a test calls `waitReally`.
 */
export function useEngine(runner: Runner): void {
	beforeAll(async () => {
		runner.engine = await createEngine();
	});
	restoreLimits(limits);
	beforeEach(() => void skipWaits());
}
