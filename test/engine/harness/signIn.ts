import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { SignInCredential } from './credentials';
import type { TestContext } from './service';

/** The selection of the Sign-In credential, as a workflow saves it. */
export const SIGN_IN: INodeParameters = { authentication: 'signIn' };

export const SIGN_IN_PATH = '/v1/authentication/sign-in';

/** A credential for each test that has never signed in: of the admin, or of another account. */
export function signInCredential({ service }: TestContext, account = 0): SignInCredential {
	const { user, password } = service.accounts[account];
	return { baseUrl: service.baseUrl, email: user.email, password };
}

export function signedIn(context: TestContext) {
	const credential = signInCredential(context);
	const withIt = (parameters: INodeParameters) => ({ ...parameters, ...SIGN_IN });
	return {
		records: async (parameters: INodeParameters, items?: IDataObject[]) =>
			await context.records(withIt(parameters), { credential, items }),
		failure: async (parameters: INodeParameters) =>
			await context.failure(withIt(parameters), { credential }),
	};
}

/** Number of sign-ins, successful or not. */
export const signIns = ({ service }: TestContext): number =>
	service.requests.filter(({ path }) => path === SIGN_IN_PATH).length;

/** The tokens in requests, without duplicates. */
export function tokensSent({ service }: TestContext): string[] {
	const sent = service.requests.flatMap(({ headers }) => headers.authorization ?? []);
	return [...new Set(sent.map((header) => header.replace('Bearer ', '')))];
}
