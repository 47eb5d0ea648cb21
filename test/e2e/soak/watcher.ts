import type { Service } from '../../service';
import { startInbox } from '../examples/inbox';
import { executionData } from '../support/executions';
import { credentialJson, importCredentials, importWorkflows } from '../support/headless';
import { freshHome } from '../support/homes';
import type { N8nRelease } from '../support/install';
import { signIn } from '../support/rest';
import { startServer } from '../support/server';
import {
	createActivation,
	receivedBy,
	triggerWorkflow,
	triggerWorkflowId,
} from '../support/triggerEvents';
import { BACKLOG_THRESHOLD, EVENTS } from './occurrences';

/** An n8n with an active workflow for each event. */
export interface Watcher {
	readonly release: N8nRelease;
	/** What the workflow of an event was given: ids of records, or the jobs of a backlog */
	received(event: string): string[];
	/** Ends n8n, in good order or not, and starts it again; its workflows go on. */
	restart(signal: NodeJS.Signals): Promise<void>;
	stop(): Promise<void>;
	/**
	 * What n8n keeps of the executions of an event that it had in hand when it was killed, as text. n8n
	 * runs them no further: what they were about is given, and gets nowhere.
	 */
	cutOff(event: string): string[];
}

const parametersOf = (event: string) =>
	event === 'queueBacklog' ? { event, threshold: BACKLOG_THRESHOLD } : { event };

export async function startWatcher(release: N8nRelease, service: Service): Promise<Watcher> {
	const inbox = await startInbox();
	const home = await freshHome(release);
	await importCredentials(home, [credentialJson('good', service)]);
	await importWorkflows(
		home,
		EVENTS.map((event) => triggerWorkflow(event, inbox, parametersOf(event))),
	);
	let server = await startServer(home);
	const { activate } = createActivation(release, await signIn(server.url));
	for (const event of EVENTS) await activate(triggerWorkflowId(event));
	const cutOff = new Map<string, string[]>();
	return {
		release,
		received: (event) =>
			receivedBy(inbox, event, event === 'queueBacklog' ? 'count' : 'id').map(String),
		async restart(signal) {
			await server.stop(signal);
			server = await startServer(home);
			// Once: n8n allows only a few sign-ins in a row.
			const rest = await signIn(server.url);
			for (const event of EVENTS) {
				cutOff.set(event, await executionData(rest, triggerWorkflowId(event), 'crashed'));
			}
		},
		cutOff: (event) => cutOff.get(event) ?? [],
		async stop() {
			await server.stop();
			await inbox.close();
		},
	};
}
