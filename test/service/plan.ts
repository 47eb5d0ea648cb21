import type { Edition, Plan } from './types';

const ALL_ON: Plan = {
	apiKeysEnabled: true,
	auditLogEnabled: true,
	eventStreamingEnabled: true,
	globalConnectionsEnabled: true,
	manageTemplatesEnabled: true,
	projectRolesEnabled: true,
	ssoEnabled: true,
};

/** The default plan of a platform. */
export function editionPlan(edition: Edition): Plan {
	if (edition === 'enterprise') return { ...ALL_ON };
	const off = Object.keys(ALL_ON).map((flag) => [flag, false]);
	return Object.fromEntries(off) as unknown as Plan;
}
