import type { FaultKind } from '../../service';

/** The response of the service's framework for an unknown path. */
export const ROUTE_MISSING: FaultKind = {
	status: 404,
	shape: 'framework',
	message: 'Route not found',
};
