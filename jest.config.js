'use strict';

const { availableParallelism } = require('node:os');

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: '<rootDir>/test/environment.js',
	moduleNameMapper: {
		'^(n8n-core|n8n-workflow|fast-check|selfsigned|ajv|fastify|qs|yaml)$':
			'<rootDir>/test/native/$1.js',
		'^@fastify/formbody$': '<rootDir>/test/native/fastify-formbody.js',
		'^zod/v4$': '<rootDir>/test/native/zod-v4.js',
	},
	roots: ['<rootDir>/test'],
	testMatch: ['**/*.test.ts'],
	// They have commands of their own: npm run e2e, npm run load
	testPathIgnorePatterns: ['<rootDir>/test/e2e/', '<rootDir>/test/load/'],
	modulePathIgnorePatterns: ['<rootDir>/test/e2e/n8n/'],
	globalSetup: '<rootDir>/test/globalSetup.js',
	globalTeardown: '<rootDir>/test/globalTeardown.js',
	transform: {
		'\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } }],
	},
	// Jest's own default leaves one core free, which is half of a machine with two.
	maxWorkers: Math.max(2, availableParallelism() - 1),
	// What is loaded once per process grows with each test file.
	workerIdleMemoryLimit: '1GB',
	testTimeout: 240_000,
};
