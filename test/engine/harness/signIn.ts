import type { INodeParameters } from 'n8n-workflow';

import type { SignInCredential } from './credentials';
import type { TestContext } from './service';

/** The choice of the credential that signs in, as a workflow saves it. */
export const SIGN_IN: INodeParameters = { authentication: 'signIn' };

export const SIGN_IN_PATH = '/v1/authentication/sign-in';

/** A credential of its own for each test, which has never signed in: of the admin, or of another account. */
export function signInCredential({ service }: TestContext, account = 0): SignInCredential {
	const { user, password } = service.accounts[account];
	return { baseUrl: service.baseUrl, email: user.email, password };
}

/** How often somebody signed in, successfully or not. */
export const signIns = ({ service }: TestContext): number =>
	service.requests.filter(({ path }) => path === SIGN_IN_PATH).length;

/** The tokens that came with requests, each once. */
export const tokensSent = ({ service }: TestContext): string[] => [
	...new Set(
		service.requests
			.map(({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '')
			.filter((token) => token !== ''),
	),
];
