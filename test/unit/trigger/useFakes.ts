import type { IDataObject } from 'n8n-workflow';

import { waiting } from '../../../nodes/Activepieces/transport/http/exchange';
import { limits } from '../../../nodes/Activepieces/transport/limits';
import { restoreLimits } from '../../restoreLimits';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const YEAR = 365 * DAY;

export let service: FakeService;

/** Gives each history of a property a new service. */
export function renewService(): void {
	service = new FakeService();
}

/** Makes a service for each test of a file, and changes limits, all of which are restored after the test. */
export function useFakes(change = () => {}): void {
	beforeEach(() => {
		renewService();
		// Retries need not wait.
		jest.spyOn(waiting, 'sleep').mockImplementation(async () => {});
		limits.poll.maxAttempts = 1;
		change();
	});
	restoreLimits(limits);
}

/** Starts to watch the service of the test. */
export async function watch(event: string, parameters: IDataObject = {}, isDurable = false) {
	const statuses = ['FAILED', 'INTERNAL_ERROR', 'CANCELED'];
	const given = { event, statuses, tableId: 'table', ...parameters };
	const n8n = new FakeN8n(service, given, isDurable);
	await n8n.activate('activate');
	return n8n;
}

/** Creates a number of records, each after some time. */
export const makeMany = (count: number, make: () => string, everyMs = 0) =>
	Array.from({ length: count }, () => {
		service.pass(everyMs);
		return make();
	});
