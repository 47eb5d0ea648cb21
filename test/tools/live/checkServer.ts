import { resources } from '../../../nodes/Activepieces/resources';
import type { Engine } from '../../engine/harness/engine';
import { cases } from '../../operations';
import { check, type LiveContext } from './context';
import { DirectApi, EDITIONS } from './directApi';
import { checkLists, checkPaging, checkRead } from './reads';
import { Redactor } from './redactor';
import { Mismatch, NotTried, summary, table } from './report';
import { RequestLog } from './requestLog';
import type { Settings } from './settings';
import { checkChanges, remove, type OwnRecord } from './writes';

export type ServerCheck = ReturnType<typeof checkServer>;

/** Reads release and edition, and tests the credential; if that fails, nothing else is tried. */
async function checkConnection(context: LiveContext): Promise<boolean> {
	const { api, engine, credential, redactor, session } = context;
	await check(context, 'Release and edition', async () => {
		const { release, edition } = (context.server = await api.serverInfo());
		return `${release}, ${EDITIONS[edition]}`;
	});
	const { result } = await check(context, 'Credential test', async () => {
		const { status, message } = await engine.testCredential(credential);
		if (status !== 'OK') throw new Mismatch(redactor.message(message));
		return session;
	});
	return result === 'works';
}

/**
 * Tries every operation that only reads, and every list of the node; for the others it says why they are
 * not tried.
 */
async function checkReading(context: LiveContext): Promise<void> {
	for (const each of cases) {
		const isOwn = each.facts.live?.own !== undefined;
		const reason = isOwn ? 'only with --write' : 'would change or delete your data';
		const refuse = async () => await Promise.reject(new NotTried(reason));
		if (each.operation.endpoint.method === 'GET') await checkRead(context, each);
		else if (!isOwn || !context.write) await check(context, each.title, refuse);
	}
	await checkPaging(context);
	for (const resource of resources) await checkLists(context, resource);
}

/**
 * Runs the node in n8n's engine with a server and compares its responses with the contract.
 *
 * @param versions of the programs here, for the report
 */
export function checkServer(settings: Settings, engine: Engine, versions: string) {
	const { credential, session, write } = settings;
	const api = new DirectApi(credential);
	const log = new RequestLog(credential.baseUrl);
	const redactor = new Redactor(credential);
	const server = { release: 'unknown', edition: 'unknown' } as const;
	const outcomes: LiveContext['outcomes'] = [];
	const context: LiveContext = { ...settings, engine, api, server, log, redactor, outcomes };
	const own: OwnRecord[] = [{ resource: 'folder' }, { resource: 'flow' }];

	async function run() {
		if (await checkConnection(context)) {
			await checkReading(context);
			for (const each of write ? own : []) await checkChanges(context, each);
		}
		const { release, edition } = context.server;
		const heading = `Activepieces ${release}, edition ${EDITIONS[edition]}, with ${session}`;
		const parts = [`${versions}\n${heading}`, table(outcomes), summary(outcomes)];
		const isRight = outcomes.every(({ result }) => result !== 'wrong');
		return { text: redactor.secretsOnly(parts.join('\n\n')), isRight };
	}

	return {
		/** The report in Markdown, suitable for a bug report, and whether nothing was wrong */
		report: run().finally(() => log.close()),
		/** Deletes the folder and the flow of the command, if they exist. */
		async cleanUp() {
			// Each, even if the other one fails.
			const removed = await Promise.allSettled(own.map(async (each) => await remove(api, each)));
			for (const each of removed) if (each.status === 'rejected') throw each.reason;
		},
	};
}
