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
	// One for each file: engine and service share a process.
	maxWorkers: 2,
	testTimeout: 900_000,
};
