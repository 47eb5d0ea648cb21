/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads a file beside n8n, never inside it */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

import { name, version } from '../../package.json';
import { postgresSettings, redisSettings } from '../e2e/support/databases';
import { N8N_RELEASES } from '../e2e/support/install';
import { QUEUE_SETTINGS } from '../e2e/support/queue';

interface ComposeService {
	image: string;
	command?: string | string[];
	environment?: Record<string, string>;
	volumes?: string[];
	depends_on?: Record<string, { condition: string }>;
	healthcheck?: object;
}

interface ComposeFile {
	services: Record<string, ComposeService>;
	volumes: Record<string, unknown>;
}

const file = parse(readFileSync('docs/compose.yaml', 'utf8'), {
	merge: true,
	strict: true,
	uniqueKeys: true,
}) as ComposeFile;
const { n8n, postgres, redis, 'install-nodes': installer } = file.services;
const workers = Object.entries(file.services).flatMap(([key, service]) =>
	key.startsWith('worker-') ? [service] : [],
);

/** The file has its own password. */
const LEFT_OUT = /PASSWORD/;

describe('docs/compose.yaml', () => {
	test('a main process and two workers have the settings that the queue tests use', () => {
		expect(workers).toHaveLength(2);
		const tested = {
			...QUEUE_SETTINGS,
			...redisSettings(new URL('redis://redis')),
			...postgresSettings(new URL('postgres://n8n:@postgres/n8n')),
		};
		for (const { environment = {}, image } of [n8n, ...workers]) {
			for (const [key, value] of Object.entries(tested)) {
				if (!LEFT_OUT.test(key)) expect([key, environment[key]]).toEqual([key, value]);
			}
			expect(image).toContain(N8N_RELEASES[0]);
			expect(environment.N8N_ENCRYPTION_KEY).toBe(n8n.environment?.N8N_ENCRYPTION_KEY);
			expect(environment.DB_POSTGRESDB_PASSWORD).toBe(postgres.environment?.POSTGRES_PASSWORD);
		}
		for (const { command } of workers) expect(command).toMatch(/^worker /);
	});

	test('each of them finds this version of the package where it looks', () => {
		expect(String(installer.command)).toContain(` ${name}@${version}\n`);
		expect(installer.volumes).toEqual(['nodes:/nodes']);
		for (const { volumes } of [n8n, ...workers]) {
			expect(volumes).toContainEqual(expect.stringMatching(/^nodes:\/home\/node\/\.n8n\/nodes/));
		}
		expect(n8n.depends_on?.['install-nodes']).toEqual({
			condition: 'service_completed_successfully',
		});
	});

	test('every service that another one waits for, and every mounted file, exists', () => {
		for (const { depends_on: needs = {}, volumes = [] } of Object.values(file.services)) {
			for (const [key, { condition }] of Object.entries(needs)) {
				expect(file.services).toHaveProperty([key]);
				if (condition === 'service_healthy') expect(file.services[key].healthcheck).toBeDefined();
			}
			for (const volume of volumes) expect(file.volumes).toHaveProperty(volume.split(':')[0]);
		}
		expect(redis.image).toMatch(/^redis:/);
	});
});
