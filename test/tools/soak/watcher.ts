import type { INodeParameters } from 'n8n-workflow';

import { startInbox } from '../../e2e/examples/inbox';
import { credentialJson, importInto } from '../../e2e/support/headless';
import { freshHome } from '../../e2e/support/homes';
import type { N8nRelease } from '../../e2e/support/install';
import { signIn } from '../../e2e/support/rest';
import { startServer } from '../../e2e/support/server';
import {
	createActivation,
	receivedBy,
	triggerWorkflow,
	triggerWorkflowId,
} from '../../e2e/support/triggerEvents';
import { markdownTable } from '../../markdownTable';
import type { Service } from '../../service';
import { HAPPENINGS } from '../../service/happenings';
import { BACKLOG_THRESHOLD, EVENTS } from './eventGenerator';

/** An n8n with an active workflow for each event. */
export type Watcher = Awaited<ReturnType<typeof startWatcher>>;

export async function startWatcher(release: N8nRelease, service: Service) {
	const inbox = await startInbox();
	const home = await freshHome(release);
	const parametersOf = (event: string) =>
		event === 'queueBacklog'
			? { event, threshold: BACKLOG_THRESHOLD }
			: ({ event, ...HAPPENINGS[event].parameters?.(service) } as INodeParameters);
	await importInto(
		home,
		[credentialJson('good', service)],
		EVENTS.map((event) => triggerWorkflow(event, inbox, parametersOf(event))),
	);
	let server = await startServer(home);
	let rest = await signIn(server.url);
	const { activate } = createActivation({ release, rest });
	for (const event of EVENTS) await activate(triggerWorkflowId(event));
	return {
		release,
		/** What the workflow of an event received: IDs of records, or the number of jobs of a backlog */
		received: (event: string) =>
			receivedBy(inbox, event, event === 'queueBacklog' ? 'count' : 'id').map(String),
		/** Ends n8n, gracefully or not, and starts it again with its workflows. */
		async restart(signal: NodeJS.Signals) {
			await server.stop(signal);
			server = await startServer(home);
			rest = await signIn(server.url);
		},
		stop: async () => await server.stop(),
	};
}

/** The events that occurred, and the items that the trigger returned in one release of n8n. */
export interface Tally {
	release: string;
	event: string;
	made: string[];
	given: string[];
}

/** Events that a restart of n8n may repeat, because a repeated message is better than a lost one. */
const LEVELS = ['connectionNeedsAttention', 'queueBacklog'];

/** Removes each of the second list once from the first. */
function without(values: string[], taken: string[]): string[] {
	const left = [...values];
	for (const value of taken) if (left.includes(value)) left.splice(left.indexOf(value), 1);
	return left;
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
	const rows = tallies.map((tally) => {
		const { release, event, made, given } = tally;
		const sizes = [made, given, lost(tally)].map((ids) => ids.length);
		const counts = [...sizes, repeated(tally), invented(tally)].map(String);
		return [release, event, ...counts, isRight(tally) ? 'yes' : 'NO'];
	});
	const head = ['n8n', 'Event', 'Made', 'Given', 'Lost', 'Repeated', 'Invented', 'Right'];
	return markdownTable([head, ...rows]);
}
