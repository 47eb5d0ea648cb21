import { limits } from '../../../nodes/Activepieces/transport/limits';
import { restoreLimits } from '../../restoreLimits';

/** Changes limits for each test of a file, and puts all of them back after it. */
export function useLimits(change: () => void): void {
	beforeEach(change);
	restoreLimits(limits);
}
