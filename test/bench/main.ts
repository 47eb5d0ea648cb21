/* eslint-disable no-console, @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a command for people, run in Node, never inside n8n */
import { parseArgs } from 'node:util';

import { compare, FAILED, ServiceProcess } from './compare';
import { allContests, titleOf } from './contests';
import { printResults } from './report/print';
import { type Finished, writeReport } from './report/write';

const USAGE = `Measures the node beside other ways of doing the same work.

  --quick          small sizes, to see that it works
  --only <regex>   only the contests whose title it matches, e.g. "^list 1000 .*https"
  --rounds <n>     how often each contestant is measured; default 5, with --quick 2
  --steps <n>      action steps of each flow in the contest of memory; default 40
  --list           prints the titles of the contests and ends
  --write          writes docs/bench.md and its picture
`;

function wholeNumber(option: string, value: string): number {
	if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${option}: a whole number of 1 or more`);
	return Number(value);
}

async function main() {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			only: { type: 'string', default: '' },
			rounds: { type: 'string' },
			steps: { type: 'string', default: '40' },
			list: { type: 'boolean', default: false },
			write: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(USAGE);
		return;
	}
	const { quick, only } = values;
	const rounds = wholeNumber('rounds', values.rounds ?? (quick ? '2' : '5'));
	const steps = wholeNumber('steps', values.steps);
	const wanted = new RegExp(only);
	const contests = allContests({ quick, steps }).filter((contest) => wanted.test(titleOf(contest)));
	if (values.list) {
		for (const contest of contests) console.log(titleOf(contest));
		return;
	}

	const service = new ServiceProcess();
	const finished: Finished[] = [];
	const began = Date.now();
	try {
		for (const [index, contest] of contests.entries()) {
			console.log(`\n${titleOf(contest)} (${index + 1} of ${contests.length})`);
			const results = await compare(service, contest, rounds);
			printResults(contest, results);
			finished.push({ contest, results });
			if (results.get('theNode')?.missing?.startsWith(FAILED)) process.exitCode = 1;
			// After every contest, because the whole takes more than an hour.
			if (values.write) writeReport(finished, { rounds, quick, only });
		}
	} finally {
		await service.end();
	}
	console.log(`\n${Math.round((Date.now() - began) / 60_000)} min in all`);
}

void main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
