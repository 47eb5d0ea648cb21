'use strict';

const { transform } = require('../../jest.config.js');

// Run by `npm run e2e`, which prepares what the tests start from.
/** @type {import('jest').Config} */
module.exports = {
	rootDir: '../..',
	testEnvironment: '<rootDir>/test/e2e/environment.js',
	roots: ['<rootDir>/test/e2e'],
	testMatch: ['**/*.test.ts'],
	modulePathIgnorePatterns: ['<rootDir>/test/e2e/n8n/'],
	transform,
	// A server of n8n is two busy processes.
	maxWorkers: 1,
	// Some tests start n8n three times, which takes minutes on a loaded machine.
	testTimeout: 900_000,
	// A test that does not pass may leave a program running; it ends when jest does (`support/command.ts`).
	forceExit: true,
};
