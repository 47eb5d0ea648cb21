import { limits } from '../../../nodes/Activepieces/transport/limits';
import { restoreLimits } from '../../restoreLimits';
import { FakeService } from './fakeService';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The service of the test that runs */
export let service: FakeService;

/** Makes a service for each test of a file, and changes limits, all of which are put back after the test. */
export function useFakes(change = () => {}): void {
	beforeEach(() => {
		service = new FakeService();
		// Retries need not be waited for.
		limits.delayScale = 0;
		limits.poll.maxAttempts = 1;
		change();
	});
	restoreLimits(limits);
}
