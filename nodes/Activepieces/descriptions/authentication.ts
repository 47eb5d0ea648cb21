import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

import { CREDENTIALS } from '../transport/credential/names';

const options = [
	{
		name: 'API Key',
		value: 'apiKey',
		description: 'Of a platform on an Enterprise or a paid cloud plan',
		testedBy: 'testActivepiecesApi',
	},
	{
		name: 'Sign-In',
		value: 'signIn',
		description: 'With email and password, for the Community edition, which has no API keys',
		testedBy: 'testActivepiecesSignInApi',
	},
] as const;

/** Chooses the credential. The default is what workflows use that were saved without the field. */
export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: options.map(({ name, value, description }) => ({ name, value, description })),
	default: 'apiKey',
};

/** The credentials that a node takes, one of them at a time. */
export const credentials: INodeCredentialDescription[] = options.map(({ value, testedBy }) => ({
	name: CREDENTIALS[value],
	required: true,
	testedBy,
	displayOptions: { show: { authentication: [value] } },
}));
