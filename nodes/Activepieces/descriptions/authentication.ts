import type { INodeProperties } from 'n8n-workflow';

/**
 * Chooses the credential (`transport/credential/names.ts`). n8n's editor does not show it: it offers the
 * choice where a credential is made. The default is what workflows use that were saved without the field.
 * The credentials themselves stand in each node's class, where n8n's linter looks for them.
 */
export const authenticationField: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'API Key',
			value: 'apiKey',
			description: 'For a platform on an Enterprise or paid Cloud plan',
		},
		{
			name: 'Sign-In',
			value: 'signIn',
			description:
				'With email and password. Use it for the Community edition, which has no API keys.',
		},
	],
	default: 'apiKey',
};
