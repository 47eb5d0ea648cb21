// Draws the tables of docs/faults.md anew from what the node does now.
//
//   node scripts/draw-faults.mjs          needs the build in dist

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
// One at a time, since all the parts write the same file.
const { status } = spawnSync(process.execPath, [jest, '--runInBand', 'test/engine/faults/'], {
	cwd: fileURLToPath(new URL('..', import.meta.url)),
	env: { ...process.env, DRAW_FAULTS: '1' },
	stdio: 'inherit',
});
process.exitCode = status ?? 1;
