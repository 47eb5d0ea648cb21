/* eslint-disable no-console -- prints for people, run in Node, never inside n8n */
import type { IDataObject, INodeParameters, NodeApiError } from 'n8n-workflow';

import type { Credential } from '../engine/harness/credentials';
import { createEngine, type Engine } from '../engine/harness/engine';
import { type Release, type Service, startService } from '../service';

export { deepEqual, doesNotMatch, equal, match } from 'node:assert/strict';

const credentialOf = ({ baseUrl, apiKey }: Service) => ({ baseUrl, apiKey });

export interface Demo {
	readonly engine: Engine;
	/** The newest release, with thousands of flows */
	readonly service: Service;
	/** Starts a service of another release. */
	open(release: Release): Promise<Service>;
	/** Runs the node in a workflow and returns its records; throws the error that stopped it. */
	run(parameters: INodeParameters, service?: Service): Promise<IDataObject[]>;
	/** Runs the node with a wrong credential, and returns the error. */
	fail(parameters: INodeParameters, wrong: Partial<Credential>): Promise<NodeApiError>;
	close(): Promise<void>;
}

export async function createDemo(): Promise<Demo> {
	const engine = await createEngine();
	const data = { projects: 5, flows: 6000, connections: 60, templates: 8, invitations: 12 };
	const service = await startService({ data });
	const services = [service];
	return {
		engine,
		service,
		async open(release) {
			services.push(await startService({ release }));
			return services[services.length - 1];
		},
		run: async (parameters, target = service) =>
			await engine.records({ credential: credentialOf(target), parameters }),
		fail: async (parameters, wrong) =>
			await engine.failure({ credential: { ...credentialOf(service), ...wrong }, parameters }),
		async close() {
			await Promise.all(services.map(async (each) => await each.close()));
		},
	};
}

/** Prints a checked result, with some of its records. */
export function show(operation: string, text: string, records: IDataObject[] = []): void {
	console.log(`\n✓ ${operation}\n  ${text}`);
	if (records.length > 0) console.table(records);
}
