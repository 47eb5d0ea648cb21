import type {
	IDataObject,
	IHttpRequestOptions,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { poll } from '../../../nodes/Activepieces/trigger/poll';
import { activations } from '../../../nodes/Activepieces/trigger/state';
import type { FakeService } from './fakeService';

const holdsState = (staticData: IDataObject): boolean =>
	Object.values(staticData).some((ofNode) => Object.keys(ofNode as IDataObject).length > 0);

/**
 * An n8n with one workflow, as far as a trigger can notice: when it polls, in which context, and what it
 * stores of the state. The state is stored with an execution that was started and after the first poll
 * of an activation, and is otherwise lost when n8n ends.
 */
export class FakeN8n {
	/** The state in n8n's database */
	stored = '{}';
	given: IDataObject[] = [];
	errors: Error[] = [];
	/** Lines of n8n's log */
	warnings: string[] = [];
	/** The name of the node, by which n8n stores its state */
	name = 'Trigger';
	credentialId = 'credential';
	apiKey = 'sk-fake-key';
	baseUrl = 'http://fake.invalid/api';
	private staticData: IDataObject = {};
	private context?: IPollFunctions;

	/**
	 * @param isDurable n8n 2 with its durable scheduler, which is off by default: every poll has its own
	 * context in mode `update`, and starts from the database
	 */
	constructor(
		private readonly service: FakeService,
		readonly parameters: IDataObject,
		private readonly isDurable = false,
	) {
		activations.clear();
		jest.spyOn(Date, 'now').mockImplementation(() => service.now + service.n8nSkew);
	}

	get ids(): unknown[] {
		return this.given.map(({ id }) => id);
	}

	/** Whether n8n has stored a state from which the trigger can continue */
	get hasStoredState(): boolean {
		return holdsState(JSON.parse(this.stored) as IDataObject);
	}

	/** Whether the trigger has a state now, even if n8n has not stored it */
	get hasState(): boolean {
		const isRemembered = [...activations.values()].some(({ state }) => state !== undefined);
		return isRemembered || (this.isDurable ? this.hasStoredState : holdsState(this.staticData));
	}

	/** @returns the items of its first poll */
	async activate(mode: WorkflowActivateMode): Promise<IDataObject[]> {
		this.staticData = JSON.parse(this.stored) as IDataObject;
		this.context = this.makeContext(mode);
		const items = await this.run();
		this.stored = JSON.stringify(this.staticData);
		return items;
	}

	async restart(): Promise<IDataObject[]> {
		activations.clear();
		return await (this.isDurable ? this.poll() : this.activate('init'));
	}

	async poll(): Promise<IDataObject[]> {
		if (this.isDurable) {
			this.staticData = JSON.parse(this.stored) as IDataObject;
			this.context = this.makeContext('update');
		}
		return await this.run();
	}

	/** @returns all items so far */
	async idsAfterPoll(): Promise<unknown[]> {
		await this.poll();
		return this.ids;
	}

	/** @returns all items so far */
	async idsAfterRestart(): Promise<unknown[]> {
		await this.restart();
		return this.ids;
	}

	async polls(count: number, before = () => {}): Promise<void> {
		for (let index = 0; index < count; index++) {
			before();
			await this.poll();
		}
	}

	/** Polls until two consecutive polls have no items, so that all outstanding items are returned. */
	async pollToEnd(poll = async () => await this.poll()): Promise<void> {
		let quiet = 0;
		for (let polls = 0; quiet < 2 && polls < 100; polls++) {
			quiet = (await poll()).length === 0 ? quiet + 1 : 0;
		}
		expect(quiet).toBe(2);
	}

	/**
	 * A poll in progress while a change is published: n8n 2 drops its items.
	 *
	 * @param then what happens between that poll and the one of the change
	 */
	async publishDuringPoll(then?: () => void): Promise<IDataObject[]> {
		if (this.context !== undefined) await poll.call(this.context).catch(() => {});
		then?.();
		return await this.activate('update');
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
		const { service, parameters, name, credentialId, apiKey, baseUrl } = this;
		const credentials = { activepiecesApi: { id: credentialId, name: 'Activepieces' } };
		const log = (line: string) => this.warnings.push(line);
		return {
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNode: () => ({ id: 'node', name, type: 'activepiecesTrigger', credentials }),
			getWorkflow: () => ({ id: 'workflow' }),
			getTimezone: () => 'UTC',
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getCredentials: async () => ({ baseUrl, apiKey }),
			getWorkflowStaticData: () => (this.staticData[name] ??= {}),
			__emitError: (error: Error) => this.errors.push(error),
			logger: { warn: log, error: log },
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await service.answer(options),
			},
		} as unknown as IPollFunctions;
	}
}
