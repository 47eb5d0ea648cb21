import { ApplicationError, FrameworkError } from '../errors';
import type { Context } from '../context';

const PER_MINUTE = 50;

/** POST /v1/authentication/sign-in: the only route with a rate limit; here no password is right. */
export function signInRoutes({ route }: Context): void {
	let attempts = 0;
	route('POST', '/v1/authentication/sign-in', (_request, reply) => {
		attempts++;
		reply.headers({
			'x-ratelimit-limit': PER_MINUTE,
			'x-ratelimit-remaining': Math.max(PER_MINUTE - attempts, 0),
			'x-ratelimit-reset': 60,
		});
		if (attempts > PER_MINUTE) {
			reply.header('retry-after', 60);
			throw new FrameworkError(429, 'Rate limit exceeded, retry in 1 minute');
		}
		throw new ApplicationError(401, 'INVALID_CREDENTIALS', {});
	});
}
