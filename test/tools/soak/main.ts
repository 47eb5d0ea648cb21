/* eslint-disable @n8n/community-nodes/no-restricted-imports, no-console -- a command of its own, run with tsx; never inside n8n */
import { parseArgs } from 'node:util';

import { runCommand } from '../../e2e/support/command';
import { prepareHomes } from '../../e2e/support/homes';
import { N8N_RELEASES } from '../../e2e/support/install';
import { pause } from '../../e2e/support/longRunning';
import { startService } from '../../service';
import { createEventGenerator, EVENTS } from './eventGenerator';
import { isRight, lost, reportOf, startWatcher, type Tally, type Watcher } from './watcher';

const USAGE = `Leaves the trigger running in n8n while things happen in the stand-in service at random.

  npm run soak -- [options]

  --minutes <n>   for how long things happen; default 30

After a quarter of the time n8n is restarted, in the middle the service is away for a fifteenth of it,
and after three quarters n8n is killed and started again, each time when it has received everything so far.
In the end every event of every release of n8n is counted. The command ends with 1 when one was lost, or
given more often than docs/trigger.md says.
`;

const SECOND = 1000;
const MINUTE = 60 * SECOND;

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: { minutes: { type: 'string', default: '30' }, help: { type: 'boolean' } },
	});
	const total = Number(values.minutes) * MINUTE;
	if (values.help || !(total > 0)) {
		console.log(USAGE);
		return values.help ? 0 : 2;
	}
	const say = (text: string) => console.log(`${new Date().toISOString()}  ${text}`);

	await prepareHomes('soak');
	const service = await startService({
		data: { flows: 600, connections: 60, connectionsPerProject: 20, flowRuns: 200, invitations: 5 },
	});
	const watchers: Watcher[] = [];
	for (const release of N8N_RELEASES) {
		say(`Starting n8n ${release}, with a workflow for each event`);
		watchers.push(await startWatcher(release, service));
	}
	const given = (event: string) => watchers.map((watcher) => watcher.received(event));
	const generator = createEventGenerator(service, given);
	const tally = () =>
		watchers.flatMap((watcher) =>
			EVENTS.map((event): Tally => {
				const given = watcher.received(event);
				return { release: watcher.release, event, made: generator.made(event), given };
			}),
		);

	async function untilAllRight(mostMs: number): Promise<void> {
		const deadline = Date.now() + mostMs;
		while (!tally().every(isRight) && Date.now() < deadline) await pause(SECOND);
	}

	const began = Date.now();
	const at = async (share: number) => await pause(Math.max(0, began + share * total - Date.now()));
	/** When n8n has received everything: what it loses of an execution as it ends does not concern the trigger. */
	async function restart(signal: NodeJS.Signals) {
		generator.hold();
		await untilAllRight(MINUTE);
		say(`Ending n8n with ${signal}`);
		const restarted = watchers.map(async (watcher) => await watcher.restart(signal));
		generator.release();
		await Promise.all(restarted);
		say('n8n is back');
	}
	generator.start();
	await at(1 / 4);
	await restart('SIGTERM');
	await at(1 / 2);
	say('The service resets every connection');
	service.fault({ kind: { reset: 'beforeHeaders' } });
	await at(1 / 2 + 1 / 30);
	say('The service answers with status 503');
	service.clearFaults();
	service.fault({ kind: { status: 503 } });
	await at(1 / 2 + 1 / 15);
	service.clearFaults();
	say('The service is back');
	await at(3 / 4);
	await restart('SIGKILL');
	await at(1);
	generator.stop();
	say('Waiting for what is on its way');
	await untilAllRight(2 * MINUTE);
	// Any further item would be one too many.
	await pause(15 * SECOND);
	const result = tally();

	for (const watcher of watchers) await watcher.stop();
	await service.close();
	for (const each of result.filter((tally) => !isRight(tally))) {
		say(`${each.release} ${each.event}: ${lost(each).map(generator.describe).join(', ')}`);
	}
	console.log(`\n${reportOf(result)}`);
	return result.every(isRight) ? 0 : 1;
}

runCommand(main);
