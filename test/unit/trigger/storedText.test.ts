import type { IDataObject } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { fingerprintOf } from '../../../nodes/Activepieces/trigger/configuredEvent';
import { flowRunFailed } from '../../../nodes/Activepieces/trigger/events/flowRunFailed.event';
import { storedText } from '../../../nodes/Activepieces/trigger/tracking/storedText';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';
import { useLimits } from './useLimits';

const LONG = 'x'.repeat(1_000_000);

let service: FakeService;
beforeEach(() => {
	service = new FakeService();
});
useLimits(() => {
	limits.delayScale = 0;
});

test.each([
	['', ''],
	['started 2026-12-01T08:00:00.000Z', 'started 2026-12-01T08:00:00.000Z'],
	['x'.repeat(41), '#41#'],
	['\u0001', '#1#'],
])('of %j the state keeps %j', (text, kept) => {
	expect(storedText(text).startsWith(kept)).toBe(true);
	expect(storedText(text).length).toBeLessThan(40);
});

test('texts that differ in one character are told apart', () => {
	const texts = Array.from({ length: 1000 }, (_, index) => `${'x'.repeat(100)}${index}`);
	expect(new Set(texts.map(storedText)).size).toBe(1000);
});

/** Lets something come up whose texts are long. */
const EVENTS: Record<string, (index: number) => void> = {
	userJoined: (index) => service.users.push({ id: `${LONG}${index}`, created: service.time }),
	flowRunFailed: (index) =>
		service.runs.push({
			id: `${LONG}${index}`,
			projectId: service.projects[0],
			created: service.time,
			updated: service.time,
			status: 'FAILED',
			finishTime: null,
			startTime: LONG,
		}),
	flowStatusChanged: (index) => service.addFlow({ id: `${LONG}${index}`, status: LONG }),
	flowPublished: (index) => service.addFlow({ publishedVersionId: `${LONG}${index}` }),
	connectionNeedsAttention: (index) =>
		service.connections.push({
			id: `${LONG}${index}`,
			created: service.time,
			updated: LONG,
			status: 'ERROR',
		}),
};

test.each(Object.entries(EVENTS))(
	'%s: long texts of the service are given once, and not stored',
	async (event, happen) => {
		// As long as an ID of a project may be.
		service.projects = ['p'.repeat(1000)];
		service.addFlow();
		const parameters: IDataObject = { event, statuses: ['FAILED'] };
		const n8n = new FakeN8n(service, parameters);
		await n8n.activate('activate');
		for (let count = 1; count <= 2; count++) {
			service.now += 60_000;
			happen(count);
			const items = await n8n.poll();
			expect(items).toHaveLength(1);
			await n8n.restart();
			await n8n.poll();
			expect(n8n.given).toHaveLength(count);
		}
		expect(n8n.stored.length).toBeLessThan(2000);
	},
);

test('statuses that are no texts are compared without their own words', () => {
	const of = (statuses: unknown[]) =>
		fingerprintOf(flowRunFailed, { baseUrl: '', credentialId: '' }, () => statuses);
	const odd = { toString: 1 };
	expect(of([odd, { ...odd }])).toBe(of([{ ...odd }, odd]));
	expect(of(['FAILED', 'TIMEOUT'])).toBe(of(['TIMEOUT', 'FAILED']));
});
