'use strict';

const base = require('../../jest.config.js');

// Run by `npm run load`: what would make `npm test` wait.
/** @type {import('jest').Config} */
module.exports = {
	...base,
	rootDir: '../..',
	roots: ['<rootDir>/test/load'],
	testMatch: ['**/*.test.ts'],
	testPathIgnorePatterns: [],
	// Each run wants a core for the engine and one for the service.
	maxWorkers: 1,
	testTimeout: 900_000,
};
