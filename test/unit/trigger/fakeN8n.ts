import {
	type IDataObject,
	type IHttpRequestOptions,
	type IPollFunctions,
	sleep,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { poll } from '../../../nodes/Activepieces/trigger/poll';
import { memories } from '../../../nodes/Activepieces/trigger/state';
import type { FakeService } from './fakeService';

const holdsState = (staticData: IDataObject): boolean =>
	Object.values(staticData).some((ofNode) => Object.keys(ofNode as IDataObject).length > 0);

/**
 * n8n with one workflow, as far as a trigger notices: when it polls, in which context, and above all
 * what it stores of the state. That is stored with an execution that was started and after the poll of an
 * activation, and is lost otherwise when n8n ends.
 */
export class FakeN8n {
	/** What n8n's database has */
	stored = '{}';
	given: IDataObject[] = [];
	errors: Error[] = [];
	/** Lines of n8n's log */
	warnings: string[] = [];
	/** What the node is called, by which n8n keeps its state */
	name = 'Trigger';
	/** Of the credential that is chosen */
	credentialId = 'credential';
	apiKey = 'sk-fake-key';
	private staticData: IDataObject = {};
	private context?: IPollFunctions;
	/** Answers to the polls of that context wait for it */
	private gate = { opened: Promise.resolve() };

	/**
	 * @param isDurable n8n 2 with its durable scheduler, which is off by default: every poll has a context of
	 * its own in the mode `update`, and begins with what the database has
	 */
	constructor(
		private readonly service: FakeService,
		private readonly parameters: IDataObject,
		private readonly isDurable = false,
	) {
		memories.clear();
		// The clock of n8n goes as that of the service does.
		jest.spyOn(Date, 'now').mockImplementation(() => service.now);
	}

	get ids(): unknown[] {
		return this.given.map(({ id }) => id);
	}

	/** Whether n8n has stored a state by which the trigger can go on */
	get hasStoredState(): boolean {
		return holdsState(JSON.parse(this.stored) as IDataObject);
	}

	/** Whether the trigger has one now, be it that n8n has not stored it */
	get hasState(): boolean {
		const isRemembered = [...memories.values()].some(({ state }) => state !== undefined);
		return isRemembered || (this.isDurable ? this.hasStoredState : holdsState(this.staticData));
	}

	/** @returns what its first poll gave */
	async activate(mode: WorkflowActivateMode): Promise<IDataObject[]> {
		this.staticData = JSON.parse(this.stored) as IDataObject;
		this.context = this.makeContext(mode);
		const items = await this.run();
		this.stored = JSON.stringify(this.staticData);
		return items;
	}

	async restart(): Promise<IDataObject[]> {
		memories.clear();
		return await (this.isDurable ? this.poll() : this.activate('init'));
	}

	/** @returns what came out of it */
	async poll(): Promise<IDataObject[]> {
		if (this.isDurable) {
			this.staticData = JSON.parse(this.stored) as IDataObject;
			this.context = this.makeContext('update');
		}
		return await this.run();
	}

	/** @returns all that was given so far */
	async idsAfterPoll(): Promise<unknown[]> {
		await this.poll();
		return this.ids;
	}

	/** @returns all that was given so far */
	async idsAfterRestart(): Promise<unknown[]> {
		await this.restart();
		return this.ids;
	}

	/** @param before what happens before each poll */
	async polls(count: number, before = () => {}): Promise<void> {
		for (let index = 0; index < count; index++) {
			before();
			await this.poll();
		}
	}

	/** Polls until two polls in a row gave nothing: whatever is left comes with them. */
	async pollToEnd(poll = async () => await this.poll()): Promise<void> {
		let quiet = 0;
		for (let polls = 0; quiet < 2 && polls < 100; polls++) {
			quiet = (await poll()).length === 0 ? quiet + 1 : 0;
		}
		expect(quiet).toBe(2);
	}

	/**
	 * A poll under way while a change is published: n8n 2 drops what it gives.
	 *
	 * @param then what happens between that poll and the one of the change
	 */
	async publishDuringPoll(then?: () => void): Promise<IDataObject[]> {
		if (this.context !== undefined) await poll.call(this.context).catch(() => {});
		then?.();
		return await this.activate('update');
	}

	/**
	 * Begins a poll that is still under way when something else happens.
	 *
	 * @returns ends it
	 */
	async beginPoll(): Promise<() => Promise<void>> {
		if (this.context === undefined) throw new Error('Not active');
		let open = () => {};
		this.gate.opened = new Promise((resolve) => (open = resolve));
		const polled = poll.call(this.context);
		// It has read its parameters by then.
		await sleep(0);
		return async () => {
			open();
			await polled;
		};
	}

	private async run(): Promise<IDataObject[]> {
		if (this.context === undefined) throw new Error('Not active');
		try {
			const output = await poll.call(this.context);
			if (output === null) return [];
			this.stored = JSON.stringify(this.staticData);
			const items = output.flat().map(({ json }) => json);
			this.given.push(...items);
			return items;
		} catch (error) {
			this.errors.push(error as Error);
			return [];
		}
	}

	private makeContext(mode: WorkflowActivateMode): IPollFunctions {
		const { service, parameters, name, credentialId, apiKey } = this;
		const credentials = { activepiecesApi: { id: credentialId, name: 'Activepieces' } };
		const gate = { opened: Promise.resolve() };
		this.gate = gate;
		const log = (line: string) => this.warnings.push(line);
		return {
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNode: () => ({ id: 'node', name, credentials }),
			getWorkflow: () => ({ id: 'workflow' }),
			getTimezone: () => 'UTC',
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getCredentials: async () => ({ baseUrl: 'http://fake.invalid/api', apiKey }),
			getWorkflowStaticData: () => (this.staticData[name] ??= {}),
			__emitError: (error: Error) => this.errors.push(error),
			logger: { warn: log, error: log },
			helpers: {
				async httpRequestWithAuthentication(_type: string, options: IHttpRequestOptions) {
					await gate.opened;
					return service.answer(options);
				},
			},
		} as unknown as IPollFunctions;
	}
}
