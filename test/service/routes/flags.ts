import type { Context } from '../context';

/**
 * GET /v1/flags: public, returns version, edition and how long calls of flows wait; 0.73 requires a
 * project when a key is sent.
 */
export function flagRoutes({ auth, edition, route, traits, webhooks }: Context): void {
	route('GET', '/v1/flags', (request) => {
		const principal = auth.authenticate(request);
		if (principal.type === 'SERVICE') auth.platformWithProject(request);
		return {
			CURRENT_VERSION: traits.version,
			EDITION: edition === 'community' ? 'ce' : 'ee',
			WEBHOOK_TIMEOUT_SECONDS: webhooks.timeoutSeconds,
		};
	});
}
