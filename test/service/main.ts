/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals -- a command of its own, run with tsx; never inside n8n */
import { parseArgs } from 'node:util';

import { type DataSizes, type Release, type ServiceOptions, startService } from './index';
import { editionPlan } from './plan';
import { RELEASES, TRAITS } from './releases';

const USAGE = `Starts the stand-in of the service and prints one JSON line when it is ready.

  --release 0.73|0.75|0.79|0.85|0.86   default 0.85
  --port <n>                 default: a free one
  --api-key <sk-…>
  --edition enterprise|community
  --plan-without <flag>      e.g. projectRolesEnabled; may be repeated
  --templates-source catalogue|none|unreachable|gone
  --prometheus               the queue metrics of 0.86.3
  --recorded                 the data set behind the recordings, instead of sizes:
  --projects, --flows, --folders-per-project, --connections, --templates, --invitations, --steps,
  --flow-runs, --users <n>
  --same-second              all connections created within one second
  --without "GET /v1/…"      leaves a route out; may be repeated
  --delay <ms>               before every answer, as a service at some distance
  --until-stdin-closes       ends when stdin does, so that it cannot outlive its parent
`;

const SIZES = {
	projects: 'projects',
	flows: 'flows',
	'folders-per-project': 'foldersPerProject',
	connections: 'connections',
	templates: 'templates',
	invitations: 'invitations',
	steps: 'steps',
	'flow-runs': 'flowRuns',
	users: 'users',
} as const satisfies Record<string, keyof DataSizes>;

const SOURCES = ['catalogue', 'none', 'unreachable', 'gone'] as const;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

interface CommandLine {
	options: ServiceOptions;
	delay: number;
	untilStdinCloses: boolean;
}

function readOptions(): CommandLine | null {
	const { values } = parseArgs({
		options: {
			release: text,
			port: text,
			'api-key': text,
			edition: text,
			without: { type: 'string', multiple: true },
			'plan-without': { type: 'string', multiple: true },
			'templates-source': text,
			prometheus: flag,
			recorded: flag,
			'same-second': flag,
			'until-stdin-closes': flag,
			help: flag,
			projects: text,
			flows: text,
			'folders-per-project': text,
			connections: text,
			templates: text,
			invitations: text,
			steps: text,
			'flow-runs': text,
			users: text,
			delay: text,
		},
	});
	if (values.help) return null;
	const release = values.release ?? '0.85';
	if (!(release in TRAITS)) throw new Error(`--release: one of ${RELEASES.join(', ')}`);
	const sizes: DataSizes = { sameSecond: values['same-second'] };
	for (const [option, size] of Object.entries(SIZES) as Array<
		[keyof typeof SIZES, (typeof SIZES)[keyof typeof SIZES]]
	>) {
		if (values[option] !== undefined) sizes[size] = wholeNumber(option, values[option]);
	}
	const edition = oneOf('edition', ['enterprise', 'community'], values.edition);
	const templatesSource = oneOf('templates-source', SOURCES, values['templates-source']);
	const off = values['plan-without'] ?? [];
	for (const name of off) oneOf('plan-without', Object.keys(editionPlan('enterprise')), name);
	return {
		options: {
			release: release as Release,
			data: values.recorded ? 'recorded' : sizes,
			port: wholeNumber('port', values.port ?? '0'),
			...(edition === undefined ? {} : { edition }),
			...(templatesSource === undefined ? {} : { templatesSource }),
			plan: Object.fromEntries(off.map((name) => [name, false])),
			prometheus: values.prometheus,
			...(values['api-key'] === undefined ? {} : { apiKey: values['api-key'] }),
			...(values.without === undefined ? {} : { without: values.without }),
		},
		delay: wholeNumber('delay', values.delay ?? '0'),
		untilStdinCloses: values['until-stdin-closes'] ?? false,
	};
}

function oneOf<Value extends string>(
	option: string,
	values: readonly Value[],
	value: string | undefined,
): Value | undefined {
	const known = values.find((one) => one === value);
	if (value !== undefined && known === undefined) {
		throw new Error(`--${option}: one of ${values.join(', ')}`);
	}
	return known;
}

function wholeNumber(option: string, value: string): number {
	const number = Number(value);
	if (!Number.isInteger(number) || number < 0) throw new Error(`--${option}: a whole number`);
	return number;
}

async function main(): Promise<void> {
	const read = readOptions();
	if (!read) {
		process.stdout.write(USAGE);
		return;
	}
	const service = await startService(read.options);
	const { origin, baseUrl, apiKey, release, close } = service;
	if (read.delay > 0) service.fault({ kind: { delay: read.delay } });
	const end = () => void close().then(() => process.exit(0));
	process.once('SIGTERM', end);
	process.once('SIGINT', end);
	if (read.untilStdinCloses) process.stdin.resume().once('close', end);
	const accounts = service.accounts.map(({ user, password }) => ({ email: user.email, password }));
	process.stdout.write(`${JSON.stringify({ origin, baseUrl, apiKey, release, accounts })}\n`);
}

main().catch((error: Error) => {
	process.stderr.write(`${error.message}\n`);
	process.exitCode = 1;
});
