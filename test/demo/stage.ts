import type { IDataObject, INodeParameters, NodeApiError } from 'n8n-workflow';

import { createEngine, type Engine } from '../engine/harness/engine';
import { type Service, type ServiceOptions, startService } from '../service';
import { Deviation } from './check';
import type { Cost } from './print';

/** What is in front of the curtain: n8n's engine, the stand-in services, and a count of what ran. */
export interface Stage {
	readonly engine: Engine;
	/** Release 0.85 with thousands of flows */
	readonly service: Service;
	/** How many workflows ran so far */
	readonly workflows: number;
	/** Starts another service, which ends together with the stage. */
	open(options: ServiceOptions): Promise<Service>;
	/**
	 * Runs a workflow that is to succeed.
	 * @param verify throws a Deviation when the items are not what the service's data asks for
	 */
	run(
		service: Service,
		parameters: INodeParameters,
		verify: (items: IDataObject[]) => void,
	): Promise<Cost & { items: IDataObject[] }>;
	/** Runs a workflow that is to stop, with a credential as a person may get it wrong. */
	stops(
		service: Service,
		credential: { baseUrl?: string; apiKey?: string },
		parameters: INodeParameters,
		verify: (error: NodeApiError) => void,
	): Promise<Cost & { error: NodeApiError }>;
	close(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
	const services: Service[] = [];
	async function open(options: ServiceOptions) {
		const service = await startService(options);
		services.push(service);
		return service;
	}

	const engine = await createEngine();
	const service = await open({
		data: { projects: 5, flows: 6000, connections: 60, templates: 8, invitations: 12 },
	});
	let workflows = 0;

	async function runOnce(
		target: Service,
		credential: { baseUrl?: string; apiKey?: string },
		parameters: INodeParameters,
	) {
		workflows++;
		const before = target.requests.length;
		const start = performance.now();
		const { baseUrl, apiKey } = target;
		const { items, error } = await engine.run({
			credential: { baseUrl, apiKey, ...credential },
			parameters,
		});
		return {
			items: items.map(({ json }) => json),
			error,
			requests: target.requests.length - before,
			ms: performance.now() - start,
		};
	}

	return {
		engine,
		service,
		get workflows() {
			return workflows;
		},
		open,
		async run(target, parameters, verify) {
			const { error, ...outcome } = await runOnce(target, {}, parameters);
			if (error) throw new Deviation(`The node stopped: ${error.message}`);
			verify(outcome.items);
			return outcome;
		},
		async stops(target, credential, parameters, verify) {
			const { items, error, ...cost } = await runOnce(target, credential, parameters);
			if (!error) throw new Deviation(`The node gave ${items.length} items instead of stopping`);
			verify(error);
			return { error, ...cost };
		},
		async close() {
			await Promise.all(services.map(async (each) => await each.close()));
		},
	};
}
