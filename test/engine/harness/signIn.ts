import type { ServiceOptions } from '../../service';
import type { SignInCredential } from './credentials';
import { useService, type TestContext } from './service';

export const SIGN_IN_PATH = '/v1/authentication/sign-in';

/** A credential for each test that has never signed in: of the admin, or of another account. */
export function signInCredential({ service }: TestContext, account = 0): SignInCredential {
	const { user, password } = service.accounts[account];
	return { baseUrl: service.baseUrl, email: user.email, password };
}

/** A stand-in for tests that sign in as its admin, each with a credential that has never signed in. */
export function useSignIn(options: ServiceOptions = {}) {
	const context = useService(options);
	beforeEach(() => void Object.assign(context, { credential: signInCredential(context) }));
	return context;
}

/** Number of sign-ins, successful or not. */
export const signIns = ({ service }: TestContext): number =>
	service.requests.filter(({ path }) => path === SIGN_IN_PATH).length;

/** The tokens in requests, without duplicates. */
export function tokensSent({ service }: TestContext): string[] {
	const sent = service.requests.flatMap(({ headers }) => headers.authorization ?? []);
	return [...new Set(sent.map((header) => header.replace('Bearer ', '')))];
}
