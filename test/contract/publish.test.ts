/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals -- runs a script in a folder of its own, never inside n8n */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { homepage, name, version } from '../../package.json';
import { packageRoot } from '../engine/harness/environment';

const ADDRESS = 'somebody/n8n-nodes-activepieces';

/** Files that contain the URL of the repository. */
const WITH_OWNER = [
	'package.json',
	'SECURITY.md',
	'nodes/Activepieces/Activepieces.node.json',
	'credentials/ActivepiecesApi.credentials.ts',
];

/** All files that the check reads. */
const FILES = [
	...WITH_OWNER,
	'README.md',
	'CHANGELOG.md',
	'scripts/check-publish.mjs',
	'scripts/setup.mjs',
];

let folder: string;

/** An npm registry, with the versions that it has; undefined for one that has trouble. */
let registry: Server;
let published: string[] | undefined;

beforeAll(async () => {
	registry = createServer((_request, response) => {
		response.statusCode = published === undefined ? 500 : published.length === 0 ? 404 : 200;
		const versions = Object.fromEntries(
			(published ?? []).map((each) => [each, { name, version: each }]),
		);
		const latest = published?.at(-1);
		response.end(JSON.stringify({ name, versions, 'dist-tags': { latest } }));
	});
	await new Promise<void>((listening) => registry.listen(0, '127.0.0.1', listening));
});
afterAll(async () => await new Promise((closed) => registry.close(closed)));

const change = (file: string, from: string | RegExp, to: string) => {
	const path = join(folder, file);
	const text = readFileSync(path, 'utf8');
	const changed = text.replaceAll(from, to);
	expect(changed).not.toBe(text);
	writeFileSync(path, changed);
};

/** Runs a script to its end. */
async function run(args: string[], env = process.env) {
	const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
	const texts = { stdout: '', stderr: '' };
	for (const stream of ['stdout', 'stderr'] as const) {
		child[stream].on('data', (part: Buffer) => (texts[stream] += part.toString()));
	}
	const status = await new Promise((ended) => child.on('close', ended));
	return { status, ...texts };
}

/** Runs the check as a GitHub workflow does, or outside of one. */
async function check(github: Record<string, string> = {}) {
	const env = Object.fromEntries(
		Object.entries(process.env).filter(([each]) => !each.startsWith('GITHUB_')),
	);
	const { port } = registry.address() as AddressInfo;
	const npm = {
		npm_config_registry: `http://127.0.0.1:${port}/`,
		npm_config_cache: join(folder, '.npm'),
		npm_config_fetch_retries: '0',
	};
	return await run([join(folder, 'scripts/check-publish.mjs')], { ...env, ...npm, ...github });
}

beforeEach(() => {
	published = [];
	folder = mkdtempSync(join(tmpdir(), 'activepieces-publish-'));
	for (const file of FILES) cpSync(join(packageRoot, file), join(folder, file));
	// The current owner of the repository, or the placeholder.
	const owner = homepage.split('/').at(-2)!;
	for (const file of WITH_OWNER) change(file, `${owner}/n8n-nodes-`, 'somebody/n8n-nodes-');
	change('package.json', /"email": "[^"]+"/g, '"email": "somebody@example.test"');
});

afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
});

test('a package with an owner and an entry in the changelog may be published', async () => {
	const stdout = `Ready to publish ${version} of ${ADDRESS}\n`;
	expect(await check()).toEqual({ status: 0, stdout, stderr: '' });
	const onGitHub = { GITHUB_REPOSITORY: ADDRESS, GITHUB_REF_TYPE: 'tag' };
	published = ['0.0.1'];
	expect((await check({ ...onGitHub, GITHUB_REF_NAME: `v${version}` })).status).toBe(0);
});

test('OWNER that was left is named with each file, and so is the made-up author', async () => {
	for (const file of WITH_OWNER) change(file, 'somebody/', 'OWNER/');
	change('package.json', 'somebody@example.test', `${name}@users.noreply.github.com`);
	const { status, stderr } = await check();
	expect(status).toBe(1);
	const [, where = ''] =
		/OWNER stands for the owner of the repository in (.+): /.exec(stderr) ?? [];
	const files = where.split(', ').map((place) => place.replace(/:\d+$/, ''));
	expect([...new Set(files)].sort()).toEqual([...WITH_OWNER].sort());
	// n8n compares it with the owner of the npm account.
	expect(stderr).toContain('author in package.json is made up');
});

test('a version without an entry in the changelog, another tag and another repository are named', async () => {
	change('package.json', /"version": "[^"]+"/g, '"version": "9.8.7"');
	const { status, stderr } = await check({
		GITHUB_REPOSITORY: 'somebody/else',
		GITHUB_REF_TYPE: 'tag',
		GITHUB_REF_NAME: 'v9.8.6',
	});
	expect(status).toBe(1);
	expect(stderr).toContain('CHANGELOG.md has no entry for 9.8.7');
	expect(stderr).toContain('The tag is v9.8.6, but the version in package.json is 9.8.7');
	expect(stderr).toContain(`This runs in somebody/else, but package.json names ${ADDRESS}`);
});

test('a version that npm has is refused, and one of which npm does not say it', async () => {
	published = ['0.0.1', version];
	const has = await check();
	expect(has).toMatchObject({ status: 1, stdout: '' });
	expect(has.stderr).toContain(`npm has ${name} ${version} already`);
	published = undefined;
	const unknown = await check();
	expect(unknown).toMatchObject({ status: 1, stdout: '' });
	expect(unknown.stderr).toContain(`npm did not say whether it has ${name} ${version}`);
});

test('a private repository is refused, with the pictures that nobody would see', async () => {
	const event = join(folder, 'event.json');
	const [, picture] = /!\[[^\]]*\]\(([^)]+)\)/.exec(
		readFileSync(join(folder, 'README.md'), 'utf8'),
	)!;
	for (const isPrivate of [true, false]) {
		writeFileSync(event, JSON.stringify({ repository: { private: isPrivate } }));
		const { status, stderr } = await check({ GITHUB_EVENT_PATH: event });
		expect(status).toBe(isPrivate ? 1 : 0);
		expect(
			stderr.includes(`The repository is private: make it public, or nobody sees ${picture}`),
		).toBe(isPrivate);
	}
});

test('an error in a workflow of GitHub Actions fails the lint', async () => {
	const workflow = join(folder, 'broken.yml');
	const steps = '[{ run: "echo ${{ github.nobody }}" }]';
	writeFileSync(workflow, `on: push\njobs: { a: { runs-on: ubuntu-latest, steps: ${steps} } }\n`);
	const given = await run([join(packageRoot, 'scripts/lint-workflows.mjs'), workflow]);
	expect(given.status).toBe(1);
	expect(given.stderr).toContain('property "nobody" is not defined');
});
