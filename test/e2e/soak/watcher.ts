import { markdownTable } from '../../markdownTable';
import type { Service } from '../../service';
import { startInbox } from '../examples/inbox';
import { credentialJson, importCredentials, importWorkflows } from '../support/headless';
import { freshHome } from '../support/homes';
import type { N8nRelease } from '../support/install';
import { countExecutions, signIn } from '../support/rest';
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

/** The events that occurred, and the items that the trigger returned in one release of n8n. */
export interface Tally {
	release: string;
	event: string;
	/** Some of the records of the event */
	kind?: string;
	made: string[];
	given: string[];
}

/** Events that a restart of n8n may repeat, because a repeated message is better than a lost one. */
const LEVELS = ['connectionNeedsAttention', 'queueBacklog'];

/** Removes each of the second list once from the first. */
function without(values: string[], taken: string[]): string[] {
	const counts = new Map<string, number>();
	for (const value of taken) counts.set(value, (counts.get(value) ?? 0) + 1);
	return values.filter((value) => {
		const count = counts.get(value) ?? 0;
		counts.set(value, count - 1);
		return count <= 0;
	});
}

export const lost = ({ made, given }: Tally) => without(made, given);

/** Number of items for records to which nothing had happened. */
const invented = ({ made, given }: Tally) => given.filter((id) => !made.includes(id)).length;

const repeated = (tally: Tally) => without(tally.given, tally.made).length - invented(tally);

export function isRight(tally: Tally): boolean {
	const mayRepeat = LEVELS.includes(tally.event);
	return lost(tally).length === 0 && invented(tally) === 0 && (mayRepeat || repeated(tally) === 0);
}

export function reportOf(tallies: Tally[]): string {
	return markdownTable([
		['n8n', 'Event', 'Made', 'Given', 'Lost', 'Repeated', 'Invented', 'Right'],
		...tallies.map((tally) => [
			tally.release,
			tally.kind === undefined ? tally.event : `${tally.event} (${tally.kind})`,
			String(tally.made.length),
			String(tally.given.length),
			String(lost(tally).length),
			String(repeated(tally)),
			String(invented(tally)),
			isRight(tally) ? 'yes' : 'NO',
		]),
	]);
}
