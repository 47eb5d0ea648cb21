'use strict';

const { TestEnvironment } = require('jest-environment-node');

// The end by a signal is an end like any other, with what is to be done at it.
for (const signal of ['SIGINT', 'SIGTERM']) {
	process.once(signal, () => process.exit(143));
}
// One listener for each home, server and folder of the tests.
process.setMaxListeners(0);

/** The n8n that files of tests share, by release. */
const sharedN8n = new Map();

/**
 * Gives the tests the real process beside jest's copy of it, for `support/command.ts`, and what outlives a
 * file of tests, for `support/running.ts`.
 */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.processOutsideJest = process;
		this.global.sharedN8n = sharedN8n;
	}
};
