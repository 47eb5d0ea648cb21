import type { FaultKind } from '../../service';

/** What the framework of the service answers for a path that it does not have. */
export const ROUTE_MISSING: FaultKind = {
	status: 404,
	shape: 'framework',
	message: 'Route not found',
};
