// Refuses publishing while something that only the publisher can know is missing.
//
//   node scripts/check-publish.mjs

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => {
	const path = join(root, file);
	return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

const { n8n, repository, version } = JSON.parse(read('package.json'));

/** Files with the address of the repository that people are shown, and n8n checks. */
const shown = [
	'package.json',
	...readdirSync(root).filter((file) => file.endsWith('.md')),
	...n8n.nodes.map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.json')),
	...n8n.credentials.map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts')),
];
const placeholders = shown.flatMap((file) =>
	read(file)
		.split('\n')
		.flatMap((line, index) => (/\bOWNER(?:\/|%2F)/.test(line) ? [`${file}:${index + 1}`] : [])),
);

const headings = read('CHANGELOG.md').matchAll(/^#+ +\[?v?(\d+\.\d+\.\d+[\w.+-]*)/gm);
const described = [...headings].map(([, release]) => release);

/** `owner/name` of the repository in package.json. */
const address = /github\.com[/:]([^/]+\/[^/]+?)(?:\.git)?$/.exec(repository?.url ?? '')?.[1];
const { GITHUB_REF_NAME, GITHUB_REF_TYPE, GITHUB_REPOSITORY } = process.env;

const reasons = [
	placeholders.length > 0 &&
		`OWNER stands for the owner of the repository in ${placeholders.join(', ')}: replace it with the name of your GitHub account or organization.`,
	address === undefined &&
		'package.json has no GitHub repository: npm signs a package only if repository.url is the repository that publishes it.',
	!described.includes(version) &&
		`CHANGELOG.md has no entry for ${version}, the version in package.json: describe there what changes for users.`,
	GITHUB_REF_TYPE === 'tag' &&
		GITHUB_REF_NAME !== `v${version}` &&
		`The tag is ${GITHUB_REF_NAME}, but the version in package.json is ${version}: tag the commit that has the version.`,
	placeholders.length === 0 &&
		address !== undefined &&
		GITHUB_REPOSITORY !== undefined &&
		GITHUB_REPOSITORY !== address &&
		`This runs in ${GITHUB_REPOSITORY}, but package.json names ${address}: npm refuses to sign the package.`,
].filter((reason) => typeof reason === 'string');

if (reasons.length > 0) {
	console.error(['Not ready to publish:', ...reasons.map((reason) => `  - ${reason}`)].join('\n'));
	process.exit(1);
}
console.log(`Ready to publish ${version} of ${address}`);
