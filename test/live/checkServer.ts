import type { Engine } from '../engine/harness/engine';
import { check, type LiveContext } from './context';
import { DirectApi } from './directApi';
import { checkLocator, checkOptionList } from './locators';
import { Mismatch, type Outcome } from './outcome';
import { optionListsOf, type Pair, pairsOf, searchesOf } from './pairs';
import { checkPaging, checkRead, reads } from './reads';
import { Redactor } from './redactor';
import { summary, table } from './report';
import { FOLDER_PREFIX } from './ownNames';
import { openRequestLog } from './requestLog';
import { EDITIONS, readServerInfo, type ServerInfo } from './server';
import { makeSession } from './session';
import type { Settings } from './settings';
import { checkFlowChanges, checkFolderChanges, type OwnFlow, type OwnFolder } from './writes';

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

const UNKNOWN: ServerInfo = { release: 'unknown', edition: 'unknown' };

/** Operations that change what is not the command's own. */
const OTHERS_DATA = 'would change or delete what is yours';

/** Operations on the command's own folder and flow. */
const OWN_CHANGES = [
	'folder.create',
	'folder.update',
	'folder.delete',
	'flow.create',
	'flow.update',
	'flow.import',
	'flow.run',
	'flow.delete',
];

const notTried = ({ name }: Pair, details: string): Outcome => ({
	name,
	result: 'not tried',
	details,
	requests: 0,
	ms: 0,
});

/** Asks for release and edition, and tests the credential; nothing else is of use where that does not pass. */
async function checkConnection(context: LiveContext): Promise<Outcome[]> {
	const identified = await check(context, 'Release and edition', async () => {
		context.server = await readServerInfo(context.session.credential.baseUrl);
		const { release, edition } = context.server;
		return { result: 'works', details: `${release}, ${EDITIONS[edition]}` };
	});
	const accepted = await check(context, 'Credential test', async () => {
		const { engine, session, redactor } = context;
		const { status, message } = await engine.testCredential(session.credential);
		if (status !== 'OK') throw new Mismatch(redactor.message(message));
		return { result: 'works', details: session.description };
	});
	return [identified, accepted];
}

/** Tries every operation that only reads, and every list of the node. */
async function checkReading(context: LiveContext, pairs: Pair[]): Promise<Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const pair of pairs) {
		if (pair.id in reads) outcomes.push(await checkRead(context, pair));
		else if (!OWN_CHANGES.includes(pair.id)) outcomes.push(notTried(pair, OTHERS_DATA));
	}
	outcomes.push(await checkPaging(context));
	const { description } = context.engine.loader.getNode('activepieces').type as {
		description: Parameters<typeof searchesOf>[0];
	};
	for (const search of searchesOf(description)) {
		outcomes.push(await checkLocator(context, search));
	}
	for (const list of optionListsOf(description)) {
		outcomes.push(await checkOptionList(context, list));
	}
	return outcomes;
}

function heading({ server, session }: LiveContext, versions: string): string {
	const { release, edition } = server;
	return [
		versions,
		`Activepieces ${release}, edition ${EDITIONS[edition]}, with ${session.description}`,
	].join('\n');
}

/**
 * Runs the node in n8n's engine against a server and compares what it answers with the contract.
 *
 * @param versions of what runs here, for the report
 * @throws {UsageError} when the settings cannot be used
 */
export function checkServer(settings: Settings, engine: Engine, versions: string): ServerCheck {
	const { baseUrl, login, write } = settings;
	const session = makeSession(settings);
	const log = openRequestLog(baseUrl);
	const redactor = new Redactor(Object.values(login), baseUrl);
	const context: LiveContext = { engine, session, server: UNKNOWN, log, redactor };
	const api = new DirectApi(settings);
	const folder: OwnFolder = {
		async remove() {
			if (folder.id === undefined) return;
			await api.deleteFolder(folder.id);
			folder.id = undefined;
		},
	};
	const flow: OwnFlow = {
		async remove() {
			if (flow.id === undefined) return;
			await api.deleteFlow(flow.id);
			flow.id = undefined;
		},
	};

	async function run(): Promise<Report> {
		const { description } = engine.loader.getNode('activepieces').type as {
			description: Parameters<typeof pairsOf>[0];
		};
		const pairs = pairsOf(description);
		const outcomes = await checkConnection(context);
		if (outcomes[1].result === 'works') {
			outcomes.push(...(await checkReading(context, pairs)));
			if (write) {
				outcomes.push(...(await checkFolderChanges(context, folder, api)));
				outcomes.push(...(await checkFlowChanges(context, flow, api)));
			} else {
				const changes = pairs.filter(({ id }) => OWN_CHANGES.includes(id));
				outcomes.push(...changes.map((pair) => notTried(pair, 'only with --write')));
			}
		}
		for (const [noun, own] of Object.entries({ folder, flow })) {
			if (own.id === undefined) continue;
			const cleaned = await check(context, 'Cleaning up', async () => {
				await own.remove();
				return { result: 'works', details: `the ${noun} is deleted` };
			});
			if (cleaned.result === 'wrong') {
				cleaned.details += `. Delete the ${noun} whose name begins with ${FOLDER_PREFIX} by hand.`;
			}
			outcomes.push(cleaned);
		}
		const text = [heading(context, versions), table(outcomes), summary(outcomes)].join('\n\n');
		return {
			text: redactor.secretsOnly(text),
			isRight: outcomes.every(({ result }) => result !== 'wrong'),
		};
	}

	const report = run().finally(() => log.close());
	return {
		report,
		cleanUp: async () => {
			// Both, whatever becomes of the first.
			await folder.remove().finally(async () => await flow.remove());
		},
	};
}
