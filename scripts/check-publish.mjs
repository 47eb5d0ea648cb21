// Refuses publishing while something that only the publisher can know is missing.
//
//   node scripts/check-publish.mjs

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npm } from './setup.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file) => {
	const path = join(root, file);
	return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

const { author, n8n, name, repository, version } = JSON.parse(read('package.json'));

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
const { GITHUB_EVENT_PATH, GITHUB_REF_NAME, GITHUB_REF_TYPE, GITHUB_REPOSITORY } = process.env;

/** The author that stands in package.json until there is a publisher. */
const isMadeUp = author?.email === `${name}@users.noreply.github.com`;

/** Why the version cannot be published: npm accepts each version once, even after it was unpublished. */
function reasonOfVersion() {
	const { status, stdout } = npm(['view', `${name}@${version}`, 'version', '--json'], {
		encoding: 'utf8',
	});
	const text = stdout?.trim() ?? '';
	if (status === 0 && text !== '') {
		return `npm has ${name} ${version} already: raise the version with npm version.`;
	}
	// It prints nothing if it has other versions.
	if (status === 0) return undefined;
	if (/"code": "E404"/.test(text)) return undefined;
	return `npm did not say whether it has ${name} ${version}: check the network, and run the command again.`;
}

/** Whether GitHub says that the repository is private: npm then signs no package, and shows no picture of README.md. */
const isPrivate = GITHUB_EVENT_PATH
	? JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8')).repository?.private === true
	: false;
const pictures = [...read('README.md').matchAll(/!\[[^\]]*\]\(([^)\s]+)/g)].map(([, path]) => path);

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
	isMadeUp &&
		'author in package.json is made up: name the owner of the npm account that publishes, because n8n compares both.',
	isPrivate &&
		`The repository is private: make it public, or nobody sees ${pictures.join(', ') || 'its documents'}, and npm signs nothing.`,
	reasonOfVersion(),
].filter((reason) => typeof reason === 'string');

if (reasons.length > 0) {
	console.error(['Not ready to publish:', ...reasons.map((reason) => `  - ${reason}`)].join('\n'));
	process.exit(1);
}
console.log(`Ready to publish ${version} of ${address}`);
