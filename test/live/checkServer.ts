import type { Engine } from '../engine/harness/engine';
import { check, type LiveContext } from './context';
import { DirectApi, EDITIONS } from './directApi';
import { checkList } from './locators';
import { type Finding, Mismatch, notTried, type Outcome } from './outcome';
import { listsOf, pairsOf } from './pairs';
import { checkPaging, checkRead, reads } from './reads';
import { Redactor } from './redactor';
import { summary, table } from './report';
import { openRequestLog } from './requestLog';
import { sessionOf, type Settings } from './settings';
import { checkChanges, OwnRecord, PREFIX } from './writes';

/** What came of checking a server. */
export interface Report {
	/** Markdown, fit for a bug report */
	text: string;
	/** Nothing was wrong */
	isRight: boolean;
}

/** A check under way. */
export interface ServerCheck {
	report: Promise<Report>;
	/** Removes the folder and the flow that the command made, as far as they are there */
	cleanUp(): Promise<void>;
}

/** Operations on the command's own folder and flow. */
const OWN_CHANGES = [
	...['folder.create', 'folder.update', 'folder.delete'],
	...['flow.create', 'flow.update', 'flow.import', 'flow.run', 'flow.delete'],
];

/** Asks for release and edition, and tests the credential; nothing else is of use where that does not pass. */
async function checkConnection(context: LiveContext, api: DirectApi): Promise<Outcome[]> {
	const { engine, session, redactor } = context;
	const identified = await check(context, 'Release and edition', async () => {
		const { release, edition } = (context.server = await api.serverInfo());
		return `${release}, ${EDITIONS[edition]}`;
	});
	const accepted = await check(context, 'Credential test', async () => {
		const { status, message } = await engine.testCredential(session.credential);
		if (status !== 'OK') throw new Mismatch(redactor.message(message));
		return session.description;
	});
	return [identified, accepted];
}

/** Tries every operation that only reads, and every list of the node; says of the others why they are not tried. */
async function checkReading(context: LiveContext, write: boolean): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	const leaveOut = (name: string, reason: Finding) =>
		outcomes.push({ name, ...reason, requests: 0, ms: 0 });
	for (const pair of pairsOf(context.engine)) {
		if (pair.id in reads) outcomes.push(await checkRead(context, pair));
		else if (!OWN_CHANGES.includes(pair.id)) {
			leaveOut(pair.name, notTried('would change or delete what is yours'));
		} else if (!write) leaveOut(pair.name, notTried('only with --write'));
	}
	outcomes.push(await checkPaging(context));
	for (const list of listsOf(context.engine)) outcomes.push(await checkList(context, list));
	return outcomes;
}

/** Deletes what a step has left. */
async function cleanUpAfter(context: LiveContext, own: OwnRecord): Promise<Outcome> {
	const { resource } = own;
	const outcome = await check(context, 'Cleaning up', async () => {
		await own.remove();
		return `the ${resource} is deleted`;
	});
	if (outcome.result === 'wrong') {
		outcome.details += `. Delete the ${resource} whose name begins with ${PREFIX} by hand.`;
	}
	return outcome;
}

/**
 * Runs the node in n8n's engine against a server and compares what it answers with the contract.
 *
 * @param versions of what runs here, for the report
 * @throws {UsageError} when the settings cannot be used
 */
export function checkServer(settings: Settings, engine: Engine, versions: string): ServerCheck {
	const { baseUrl, login, write } = settings;
	const session = sessionOf(settings);
	const log = openRequestLog(baseUrl);
	const redactor = new Redactor(Object.values(login), baseUrl);
	const server = { release: 'unknown', edition: 'unknown' } as const;
	const context: LiveContext = { engine, session, server, log, redactor };
	const api = new DirectApi(settings);
	const own = [new OwnRecord('folder', api), new OwnRecord('flow', api)];

	async function run(): Promise<Report> {
		const outcomes = await checkConnection(context, api);
		if (outcomes[1].result === 'works') {
			outcomes.push(...(await checkReading(context, write)));
			for (const each of write ? own : []) {
				outcomes.push(...(await checkChanges(context, each, api)));
				if (each.id !== undefined) outcomes.push(await cleanUpAfter(context, each));
			}
		}
		const { release, edition } = context.server;
		const heading = `Activepieces ${release}, edition ${EDITIONS[edition]}, with ${session.description}`;
		const parts = [`${versions}\n${heading}`, table(outcomes), summary(outcomes)];
		return {
			text: redactor.secretsOnly(parts.join('\n\n')),
			isRight: outcomes.every(({ result }) => result !== 'wrong'),
		};
	}

	return {
		report: run().finally(() => log.close()),
		async cleanUp() {
			// Each, whatever becomes of the other.
			const removed = await Promise.allSettled(own.map(async (each) => await each.remove()));
			const failed = removed.find(({ status }) => status === 'rejected');
			if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
		},
	};
}
