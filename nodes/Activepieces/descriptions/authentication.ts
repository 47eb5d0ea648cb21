import type { INodeProperties } from 'n8n-workflow';

/**
 * Chooses the credential (`transport/credential/names.ts`). n8n's editor hides this field, because it
 * offers the choice in its credential selector. Workflows that were saved without the field use the
 * default. Each node class lists the credentials itself, because n8n's linter looks for them there.
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
			description: 'With an API key. Requires an Enterprise plan or a paid Cloud plan.',
		},
		{
			name: 'Sign-In',
			value: 'signIn',
			description:
				'With email and password. Use this for the Community edition, which has no API keys.',
		},
	],
	default: 'apiKey',
};
