/* eslint-disable no-console, @n8n/community-nodes/no-restricted-imports -- a command for people, run in Node, never inside n8n */
import { parseArgs } from 'node:util';

import { runCommand } from '../../e2e/support/command';
import { measureBulk, measureExports, measureLists, measureTables } from './inEngine';
import { measureMemory } from './memory';
import { measureRealN8n } from './realN8n';
import { isAboveBound, tableOf, writeTable, type Comparison, type Options } from './report';

const USAGE = `Measures the node beside other ways of doing the same work.

  npm run bench -- [real] [lists] [bulk] [exports] [tables] [memory] [options]   all when none is named

  --quick        fewer items and rounds: about ten minutes in all
  --rounds <n>   how often each candidate is measured; default 5, with --quick 3
  --write        puts the tables into test/tools/bench/README.md

A value above its bound ends the command with 1.
`;

interface Part {
	other: string;
	measure(options: Options): Promise<Comparison[]>;
}

const PARTS: Record<string, Part> = {
	real: { other: 'HTTP Request', measure: measureRealN8n },
	lists: { other: 'Raw axios', measure: measureLists },
	bulk: { other: 'Smallest node', measure: measureBulk },
	exports: { other: 'Flow → Get', measure: measureExports },
	tables: { other: 'Raw axios', measure: measureTables },
	memory: { other: 'Raw axios', measure: measureMemory },
};

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: {
			quick: { type: 'boolean', default: false },
			rounds: { type: 'string' },
			write: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const rounds = Number(values.rounds ?? (values.quick ? 3 : 5));
	const names = positionals.length === 0 ? Object.keys(PARTS) : positionals;
	const isRight = Number.isInteger(rounds) && rounds > 0 && names.every((name) => name in PARTS);
	if (values.help || !isRight) {
		console.log(USAGE);
		return isRight ? 0 : 2;
	}
	const options = { quick: values.quick, rounds };
	let isAbove = false;
	for (const name of names) {
		const { other, measure } = PARTS[name];
		console.log(`\n${name}`);
		const comparisons = await measure(options);
		const table = tableOf(other, comparisons);
		console.log(table);
		if (values.write) writeTable(name, table, options);
		isAbove ||= comparisons.some(isAboveBound);
	}
	return isAbove ? 1 : 0;
}

runCommand(main);
