import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';
import { useLimits } from './useLimits';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let service: FakeService;

beforeEach(() => {
	service = new FakeService();
});
useLimits(() => {
	limits.defaultPageSize = 3;
});

const ago = (ms: number) => new Date(service.now - ms).toISOString();

function addUser(created = service.time): string {
	const id = service.id('user');
	service.users.push({ id, created });
	return id;
}

function addFlow(projectId = 'project-a', created = service.time): string {
	return service.addFlow({ projectId, created }).id;
}

function addFailedRun(created = service.time): string {
	const id = service.id('run');
	const run = { id, projectId: 'project-a', created, status: 'FAILED', finishTime: created };
	service.runs.push(run);
	return id;
}

const ids = (items: IDataObject[]) => items.map(({ id }) => id);

test('a first look that finds nothing gives nothing from before it later on, either', async () => {
	addFailedRun(ago(2 * DAY));
	const parameters: IDataObject = { event: 'flowRunFailed', statuses: ['FAILED'] };
	const n8n = new FakeN8n(service, parameters);
	await n8n.activate('activate');
	parameters['options.lookbackHours'] = 72;
	await n8n.activate('update');
	await n8n.poll();
	expect(n8n.given).toEqual([]);
	service.now += MINUTE;
	const id = addFailedRun();
	await n8n.poll();
	expect(ids(n8n.given)).toEqual([id]);
});

test('a record that is dated in the future hides none of those that follow', async () => {
	addUser(ago(-DAY));
	const n8n = new FakeN8n(service, { event: 'userJoined' });
	await n8n.activate('activate');
	service.now += MINUTE;
	const id = addUser();
	await n8n.poll();
	expect(ids(n8n.given)).toEqual([id]);
});

test('of a project that appears later only what has come since watching began is given', async () => {
	const n8n = new FakeN8n(service, { event: 'flowCreated' });
	addFlow('project-a', ago(9 * DAY));
	await n8n.activate('activate');
	addFlow('project-c', ago(2 * DAY));
	service.now += MINUTE;
	const id = addFlow('project-c');
	service.projects.push('project-c');
	await n8n.poll();
	expect(ids(n8n.given)).toEqual([id]);
});

test('what comes during a first look that takes long is not lost', async () => {
	limits.maxConcurrency = 1;
	for (let count = 0; count < 8; count++) addFlow('project-b', ago(DAY));
	const made: string[] = [];
	// The list of projects and that of project A have been read.
	const happens = () => {
		made.push(addFlow('project-a'));
		service.now += 30 * MINUTE;
		made.push(addFlow('project-b'));
	};
	service.meanwhile = { pages: 2, happens };
	const n8n = new FakeN8n(service, { event: 'flowCreated' });
	await n8n.activate('activate');
	expect(made).toHaveLength(2);
	await n8n.poll();
	expect(ids(n8n.given)).toContain(made[0]);
});

test('a service that does not tell its time is gone by its records', async () => {
	service.isDated = false;
	addUser(ago(DAY));
	const n8n = new FakeN8n(service, { event: 'userJoined' });
	await n8n.activate('activate');
	addUser(ago(DAY + 10 * MINUTE));
	const late = addUser(ago(DAY + MINUTE));
	const id = addUser();
	await n8n.poll();
	expect(ids(n8n.given)).toEqual([late, id]);
});
