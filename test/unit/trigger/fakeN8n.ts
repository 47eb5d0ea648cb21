import type {
	IDataObject,
	IHttpRequestOptions,
	IPollFunctions,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { poll } from '../../../nodes/Activepieces/trigger/poll';
import { pollMemory } from '../../../nodes/Activepieces/trigger/pollMemory';
import type { FakeService } from './fakeService';

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
	private staticData: IDataObject = {};
	private context?: IPollFunctions;

	constructor(
		private readonly service: FakeService,
		private readonly parameters: IDataObject,
	) {
		pollMemory.clear();
	}

	/** Whether n8n has stored a state by which the trigger can go on */
	get hasStoredState(): boolean {
		return this.stored !== '{}';
	}

	/** Whether the trigger has one now */
	get hasState(): boolean {
		return Object.keys(this.staticData).length > 0;
	}

	/** @returns what its first poll gave */
	async activate(mode: WorkflowActivateMode): Promise<IDataObject[]> {
		this.staticData = JSON.parse(this.stored) as IDataObject;
		this.context = this.makeContext(mode);
		const items = await this.poll();
		this.store();
		return items;
	}

	async restart(): Promise<IDataObject[]> {
		pollMemory.clear();
		return await this.activate('init');
	}

	/** @returns what came out of it */
	async poll(): Promise<IDataObject[]> {
		if (this.context === undefined) throw new Error('Not active');
		try {
			const output = await poll.call(this.context);
			if (output === null) return [];
			this.store();
			const items = output.flat().map(({ json }) => json);
			this.given.push(...items);
			return items;
		} catch (error) {
			this.errors.push(error as Error);
			return [];
		}
	}

	private store(): void {
		this.stored = JSON.stringify(this.staticData);
	}

	private makeContext(mode: WorkflowActivateMode): IPollFunctions {
		const { service, parameters } = this;
		return {
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNode: () => ({ id: 'node', name: 'Trigger' }),
			getWorkflow: () => ({ id: 'workflow' }),
			getTimezone: () => 'UTC',
			getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
			getCredentials: async () => ({ baseUrl: 'http://fake.invalid/api', apiKey: 'sk-key' }),
			getWorkflowStaticData: () => this.staticData,
			logger: { warn: (line: string) => this.warnings.push(line) },
			helpers: {
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					service.answer(options),
			},
		} as unknown as IPollFunctions;
	}
}
