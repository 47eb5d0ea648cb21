'use strict';

const { join } = require('node:path');

const { configureGlobal } = require('fast-check');
const { TestEnvironment } = require('jest-environment-node');

const dist = join(__dirname, '../dist/');

// n8n-core reads it when it is loaded.
process.env.N8N_LOG_LEVEL ??= 'silent';

// The same commit gives the same result: every property is tried with the same examples each time.
// `FC_SEED=$RANDOM npx jest test/unit` looks at others; a run that fails prints what reproduces it.
configureGlobal({ seed: Number(process.env.FC_SEED ?? 20261121) });

// A worker ends at once: to free n8n's engine takes longer than the half second for which jest waits.
if (process.send) process.once('exit', (code) => process.reallyExit(code));

/**
 * Jest loads every module anew for each test file, which takes seconds for n8n's engine of 2,000 modules.
 * Here big packages (`test/native`) are loaded once per process. The build is loaded once per test file,
 * because tests change its limits and it remembers servers.
 *
 * What is loaded so has the `Array` and `TypeError` of the process, not those of the test file: compare its
 * errors by name and message.
 */
module.exports = class extends TestEnvironment {
	constructor(...args) {
		super(...args);
		for (const file of Object.keys(require.cache)) {
			if (file.startsWith(dist)) delete require.cache[file];
		}
		this.global.requireNative = require;
		// One clock for the engine and for the tests that set it.
		this.global.Date = Date;
		// The framework of the stand-in recognizes errors by their class.
		this.global.Error = Error;
	}

	handleTestEvent({ name }) {
		// Not in teardown: jest looks at the clock before that.
		if (name === 'run_finish') this.moduleMocker.restoreAllMocks();
	}
};
