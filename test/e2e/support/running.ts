import type { IRunExecutionData } from 'n8n-workflow';

import { outcomeOf, type CredentialJson, type Outcome } from './headless';
import { freshHome, type Home } from './homes';
import type { N8nRelease } from './install';
import { eventually } from './longRunning';
import { addCredential, addWorkflow, signIn, type Rest } from './rest';
import { startServer, type Server } from './server';
import type { WorkflowJson } from './workflow';

/** n8n stores executions in this format; the package's types are for ES modules only. */
const { parse } = jest.requireActual<{ parse(text: string): unknown }>('flatted');

/** Many times longer than the longest of the tests on two cores */
const EXECUTED_WITHIN_MS = 240_000;
const FINISHED = ['success', 'error', 'crashed', 'canceled'];

declare global {
	var sharedN8n: Map<N8nRelease, Pick<Running, 'home' | 'server'>>;
}

/** Something that a test has started. */
type Started = { stop(): Promise<unknown> } | { close(): Promise<unknown> };

/** Takes what was started, to end it, and returns it. */
export type Ends = <T extends Started>(started: T | Promise<T>) => Promise<T>;

/** Ends what a block has started, after its tests and in reverse order. */
export function useEnds(): Ends {
	const ends: Started[] = [];
	afterAll(async () => {
		for (const end of ends.reverse()) await ('stop' in end ? end.stop() : end.close());
	});
	return async (started) => {
		ends.push(await started);
		return await started;
	};
}

/** A running n8n with a signed-in user. */
export interface Running {
	readonly release: N8nRelease;
	home: Home;
	server: Server;
	rest: Rest;
	/** n8n's IDs of what was added, by the IDs in the files */
	readonly credentials: Record<string, string>;
	readonly workflows: Record<string, string>;
	add(credentials: CredentialJson[], workflows?: WorkflowJson[]): Promise<void>;
	/**
	 * Runs a workflow from its manual trigger, as the editor does.
	 *
	 * @param message with which it has to stop; without it, it has to succeed
	 */
	execute(workflow: string, message?: string): Promise<Outcome>;
}

/** Waits for the end of an execution, and returns its result. */
export async function readExecution({ get }: Rest, id: string) {
	return await eventually(async () => {
		const { status, data } = await get<{ status: string; data: string }>(`/rest/executions/${id}`);
		// n8n 1.x with SQLite stores the status before the data.
		const run = parse(data) as IRunExecutionData | undefined;
		if (!FINISHED.includes(status) || run === undefined) throw new Error(`${id}: ${status}`);
		return run.resultData;
	}, EXECUTED_WITHIN_MS);
}

/** An n8n that a block may stop and start again. */
interface OwnRunning extends Running {
	start(): Promise<void>;
}

/** Returns what is added to n8n once it runs; what it starts ends after the tests. */
type Prepare = (ends: Ends, home: Home) => Promise<[CredentialJson[], WorkflowJson[]?]>;

const prepareNothing: Prepare = async () => [[]];

function createRunning(release: N8nRelease): Running {
	const running = { release, credentials: {}, workflows: {} } as Running;
	const { credentials, workflows } = running;

	/** The workflow with n8n's IDs of its credentials. */
	function withIds(workflow: WorkflowJson): WorkflowJson {
		const copy = structuredClone(workflow);
		for (const used of copy.nodes.flatMap((node) => Object.values(node.credentials ?? {}))) {
			used.id = credentials[used.id ?? ''] ?? used.id;
		}
		return copy;
	}

	running.add = async (newCredentials, newWorkflows = []) => {
		for (const { id, ...credential } of newCredentials) {
			credentials[id] = await addCredential(running.rest, credential);
		}
		for (const workflow of newWorkflows) {
			workflows[workflow.id] = (await addWorkflow(running.rest, withIds(workflow))).id;
		}
	};
	running.execute = async (name, message) => {
		const path = `/rest/workflows/${workflows[name]}`;
		const workflowData = await running.rest.get<WorkflowJson>(path);
		const start = workflowData.nodes.find(({ type }) => type === 'n8n-nodes-base.manualTrigger');
		const { executionId } = await running.rest.post<{ executionId: string }>(`${path}/run`, {
			workflowData,
			triggerToStartFrom: { name: start?.name },
		});
		const result = await readExecution(running.rest, executionId);
		if (result.error?.message !== message) {
			throw new Error(`${name}: ${JSON.stringify(result.error ?? 'no error')}`);
		}
		return outcomeOf(result.runData, JSON.stringify(result) + running.server.log());
	};
	return running;
}

/**
 * Takes the n8n of a release that all blocks share, with their credentials and workflows in it. It starts
 * with the first of them, and ends with jest.
 */
export function useN8n(release: N8nRelease, prepare = prepareNothing): Running {
	const ends = useEnds();
	const running = createRunning(release);
	beforeAll(async () => {
		const { home, server } = sharedN8n.get(release) ?? (await startShared(release));
		Object.assign(running, { home, server, rest: await signIn(server.url) });
		await running.add(...(await prepare(ends, home)));
	});
	return running;
}

async function startShared(release: N8nRelease): Promise<Pick<Running, 'home' | 'server'>> {
	const home = await freshHome(release);
	const shared = { home, server: await startServer(home) };
	sharedN8n.set(release, shared);
	return shared;
}

/** Starts an n8n for the tests of a block, and stops it after them. */
export function useOwnN8n(release: N8nRelease, prepare = prepareNothing): OwnRunning {
	const ends = useEnds();
	const running: OwnRunning = Object.assign(createRunning(release), {
		async start() {
			running.server = await startServer(running.home);
			running.rest = await signIn(running.server.url);
		},
	});
	beforeAll(async () => {
		running.home = await freshHome(release);
		const added = await prepare(ends, running.home);
		await ends({ stop: async () => await running.server?.stop() });
		await running.start();
		await running.add(...added);
	});
	return running;
}
