import type { Service } from '../../service';
import { startInbox } from '../examples/inbox';
import { countExecutions } from '../support/executions';
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
import { BACKLOG_THRESHOLD, EVENTS } from './eventGenerator';

/** An n8n with an active workflow for each event. */
export interface Watcher {
	readonly release: N8nRelease;
	/** What the workflow of an event received: IDs of records, or the number of jobs of a backlog */
	received(event: string): string[];
	/** Ends n8n, gracefully or not, and starts it again with its workflows. */
	restart(signal: NodeJS.Signals): Promise<void>;
	/** Whether n8n has a running execution */
	isBusy(): Promise<boolean>;
	stop(): Promise<void>;
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
	let rest = await signIn(server.url);
	const { activate } = createActivation(release, rest);
	for (const event of EVENTS) await activate(triggerWorkflowId(event));
	return {
		release,
		received: (event) =>
			receivedBy(inbox, event, event === 'queueBacklog' ? 'count' : 'id').map(String),
		async restart(signal) {
			await server.stop(signal);
			server = await startServer(home);
			rest = await signIn(server.url);
		},
		isBusy: async () => (await countExecutions(rest, { status: ['new', 'running'] })) > 0,
		async stop() {
			await server.stop();
			await inbox.close();
		},
	};
}
