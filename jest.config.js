'use strict';

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	globalSetup: '<rootDir>/test/globalSetup.js',
	globalTeardown: '<rootDir>/test/globalTeardown.js',
	setupFiles: ['<rootDir>/test/properties.js'],
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	testTimeout: 60_000,
};
