/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-dangerous-functions, @n8n/community-nodes/no-restricted-globals -- runs a script in a folder of its own, never inside n8n */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { homepage, version } from '../../package.json';
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
const FILES = [...WITH_OWNER, 'README.md', 'CHANGELOG.md', 'scripts/check-publish.mjs'];

let folder: string;

const change = (file: string, from: string | RegExp, to: string) => {
	const path = join(folder, file);
	const text = readFileSync(path, 'utf8');
	const changed = text.replaceAll(from, to);
	expect(changed).not.toBe(text);
	writeFileSync(path, changed);
};

/** Runs the check as a GitHub workflow does, or outside of one. */
function check(github: Record<string, string> = {}) {
	const env = { ...process.env };
	for (const name of ['GITHUB_REF_NAME', 'GITHUB_REF_TYPE', 'GITHUB_REPOSITORY']) delete env[name];
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(folder, 'scripts/check-publish.mjs')],
		{ encoding: 'utf8', env: { ...env, ...github } },
	);
	return { status, stdout, stderr };
}

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'activepieces-publish-'));
	for (const file of FILES) cpSync(join(packageRoot, file), join(folder, file));
	// The current owner of the repository, or the placeholder.
	const owner = homepage.split('/').at(-2)!;
	for (const file of WITH_OWNER) change(file, `${owner}/n8n-nodes-`, 'somebody/n8n-nodes-');
});

afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
});

test('a package with an owner and an entry in the changelog may be published', () => {
	const stdout = `Ready to publish ${version} of ${ADDRESS}\n`;
	expect(check()).toEqual({ status: 0, stdout, stderr: '' });
	const onGitHub = { GITHUB_REPOSITORY: ADDRESS, GITHUB_REF_TYPE: 'tag' };
	expect(check({ ...onGitHub, GITHUB_REF_NAME: `v${version}` }).status).toBe(0);
});

test.each(WITH_OWNER)('OWNER left in %s is named', (file) => {
	change(file, 'somebody/', 'OWNER/');
	const { status, stderr } = check();
	expect(status).toBe(1);
	expect(stderr).toContain(`OWNER stands for the owner of the repository in ${file}:`);
});

test('a version without an entry in the changelog, another tag and another repository are named', () => {
	change('package.json', /"version": "[^"]+"/g, '"version": "9.8.7"');
	const { status, stderr } = check({
		GITHUB_REPOSITORY: 'somebody/else',
		GITHUB_REF_TYPE: 'tag',
		GITHUB_REF_NAME: 'v9.8.6',
	});
	expect(status).toBe(1);
	expect(stderr).toContain('CHANGELOG.md has no entry for 9.8.7');
	expect(stderr).toContain('The tag is v9.8.6, but the version in package.json is 9.8.7');
	expect(stderr).toContain(`This runs in somebody/else, but package.json names ${ADDRESS}`);
});
