'use strict';

const { TestEnvironment } = require('jest-environment-node');

// The end by a signal is an end like any other, with what is to be done at it.
for (const signal of ['SIGINT', 'SIGTERM']) {
	process.once(signal, () => process.exit(143));
}
// One listener for each home, server and folder of the tests.
process.setMaxListeners(0);

/** Gives the tests the real process beside jest's copy of it, for `support/command.ts`. */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.processOutsideJest = process;
	}
};
