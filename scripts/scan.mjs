// What n8n checks before it verifies a package, run here before publishing: its scanner over the
// sources and over the packed package, and the list of files that would be published.
//
//   node scripts/scan.mjs          needs the build in dist

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { npm } from './setup.mjs';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const SCANNER = '@n8n/scan-community-package';
const MUST_SHIP = ['package.json', 'README.md', 'LICENSE'];
const MAY_SHIP = ['CHANGELOG.md'];
const SHIPPED_FOLDERS = ['nodes', 'credentials', 'icons'];

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** Every file of a folder, relative to it, with forward slashes. */
function filesOf(folder) {
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath ?? entry.path, entry.name))
		.map((file) => file.slice(folder.length + 1).replaceAll('\\', '/'));
}

/** Packs the package as npm would publish it, and unpacks it into a folder. */
function packInto(folder) {
	mkdirSync(join(folder, 'tarball'));
	// --no-dry-run: `npm publish --dry-run` hands its own dry run down to this npm.
	const packing = ['pack', '--ignore-scripts', '--no-dry-run', '--pack-destination'];
	const { status, stderr, error } = npm([...packing, join(folder, 'tarball')], {
		encoding: 'utf8',
	});
	if (status !== 0) throw new Error(`npm pack failed:\n${stderr ?? error?.message}`);
	const [tarball] = readdirSync(join(folder, 'tarball'));
	const unpacking = spawnSync('tar', ['-xzf', `tarball/${tarball}`], { cwd: folder });
	if (unpacking.status !== 0) throw new Error(`tar could not unpack ${tarball}`);
	return join(folder, 'package');
}

/** What the build makes of a source file. */
const builtFrom = (source) => `dist/${source.replace(/\.ts$/, '.js')}`;

/** Compares the packed files with what the sources should have become, in both directions. */
function unexpectedFiles(unpacked) {
	const { n8n } = readJson(join(unpacked, 'package.json'));
	const packed = new Set(filesOf(unpacked));
	const built = SHIPPED_FOLDERS.flatMap((folder) =>
		filesOf(join(root, folder)).map((file) => builtFrom(`${folder}/${file}`)),
	);
	const codex = n8n.nodes.map((file) => file.replace(/\.js$/, '.json'));
	const wanted = [...MUST_SHIP, ...n8n.nodes, ...n8n.credentials, ...codex, ...built];
	const known = new Set([...wanted, ...MAY_SHIP]);
	return [
		...[...new Set(wanted)]
			.filter((file) => !packed.has(file))
			.map((file) => `${file} is missing from the package`),
		...[...packed]
			.filter((file) => !known.has(file) || /\.(test|spec)\./.test(file))
			.map(
				(file) =>
					`${file} is in the package, but n8n does not need it (left over from an older build?)`,
			),
	];
}

/** Runs n8n's scanner; gives what it found, as text, or undefined. */
async function scan(folder, patterns, analyzePackage) {
	const { passed, message, details } = await analyzePackage(folder, patterns);
	// It also passes, with a message, when it found no files at all.
	return passed && message === undefined ? undefined : (details ?? message);
}

const folder = mkdtempSync(join(tmpdir(), 'activepieces-scan-'));
try {
	if (!existsSync(join(root, 'dist'))) throw new Error('dist is missing: run `npm run build`.');
	// The scanner makes a temporary folder when it is loaded and leaves it behind: here it goes with ours.
	for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(`${SCANNER}/scanner/scanner.mjs`);

	const unpacked = packInto(folder);
	const published = ['**/*.js', 'package.json'];
	const unexpected = unexpectedFiles(unpacked);
	const results = {
		[`sources, ${SOURCE_FILE_PATTERNS.join(', ')}`]: await scan(
			root,
			SOURCE_FILE_PATTERNS,
			analyzePackage,
		),
		[`package, ${published.join(', ')}`]: await scan(unpacked, published, analyzePackage),
		[`files, ${filesOf(unpacked).length} in the package`]:
			unexpected.length > 0 ? unexpected.map((line) => `  ${line}`).join('\n') : undefined,
	};

	const { devDependencies } = readJson(join(root, 'package.json'));
	console.log(`Verification scan (${SCANNER} ${devDependencies[SCANNER]})`);
	for (const [what, found] of Object.entries(results)) {
		console.log(`  ${found === undefined ? 'passed' : 'FAILED'}  ${what}`);
	}
	const found = Object.values(results).filter((result) => result !== undefined);
	if (found.length > 0) {
		console.error(`\n${found.join('\n\n')}`);
		process.exitCode = 1;
	}
} catch (error) {
	console.error(error.message);
	process.exitCode = 1;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
