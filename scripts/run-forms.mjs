// Turns the recorded runs of real workers into test/contract/runs.json: the fields of a failed run and
// their types, by itself and in a list, without values.
//
//   node scripts/run-forms.mjs <folder of recordings>
//
// The folder holds samples/next/<release>/run-failed.json and list-item-run-failed.json.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { formOf } from './contract-forms.mjs';

const TARGET = fileURLToPath(new URL('../test/contract/runs.json', import.meta.url));

const [folder] = process.argv.slice(2);
if (!folder) {
	console.error('Usage: node scripts/run-forms.mjs <folder of recordings>');
	process.exit(2);
}
const samples = join(folder, 'samples', 'next');

/** What the flow is made of, and what went through its steps, differs from flow to flow. */
const OF_THE_FLOW = ['trigger', 'flowVersion_trigger', 'input', 'output', 'legs'];
const withoutFlow = (key, value) => (OF_THE_FLOW.includes(key) && value !== null ? {} : value);

function formOfSample(release, name, pick) {
	const text = readFileSync(join(samples, release, `${name}.json`), 'utf8');
	const run = pick(JSON.parse(text));
	if (run.steps) run.steps = { failed: run.steps[run.failedStep.name] };
	return formOf(JSON.parse(JSON.stringify(run), withoutFlow));
}

const forms = Object.fromEntries(
	readdirSync(samples)
		.sort()
		.map((release) => [
			release,
			{
				listed: formOfSample(release, 'list-item-run-failed', ({ data }) => data[0]),
				single: formOfSample(release, 'run-failed', (run) => run),
			},
		]),
);
writeFileSync(TARGET, `${JSON.stringify(forms, null, '\t')}\n`);
