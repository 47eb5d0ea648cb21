import type { INodeProperties } from 'n8n-workflow';

import { booleanField, numberField, optionsField, rowsField, textField } from './properties';

/**
 * Chooses the credential (`transport/credential/credential.ts`). n8n's editor hides this field, because it
 * offers the choice in its credential selector. Workflows that were saved without the field use the
 * default. Each node class lists the credentials itself, because n8n's linter looks for them there.
 */
export const authenticationField = optionsField('Authentication', 'authentication', {
	noDataExpression: true,
	options: [
		['API Key', 'apiKey', 'With an API key. Requires an Enterprise plan or a paid Cloud plan.'],
		[
			'Sign-In',
			'signIn',
			'With email and password. Use this for the Community edition, which has no API keys.',
		],
	],
	default: 'apiKey',
});

/**
 * How the node reaches the server (`transport/credential/connectionSettings.ts`). Both credentials have
 * these fields, because the node, the trigger, the locators and the credential test all use them. n8n's
 * Request Options have the same names, except Headers, and override them where the node has them.
 */
export const connectionSettingsFields: INodeProperties[] = [
	rowsField(
		'Headers',
		'headers',
		{
			placeholder: 'Add header',
			description:
				'Headers that a gateway in front of Activepieces requires, such as Cloudflare Access or Authelia. They are sent with every request, only to the server in Base URL. After you delete a header, enter the values of those below it again.',
		},
		{
			displayName: 'Values',
			name: 'values',
			values: [
				textField('Name', 'name'),
				textField('Value', 'value', { typeOptions: { password: true } }),
			],
		},
	),
	booleanField(
		'Ignore SSL Issues (Insecure)',
		'allowUnauthorizedCerts',
		'Whether to connect even if SSL certificate validation is not possible',
	),
	textField('Proxy', 'proxy', {
		placeholder: 'e.g. http://proxy.example.com:3128',
		description: 'The URL of the HTTP proxy to connect through',
	}),
	numberField('Timeout', 'timeout', {
		typeOptions: { minValue: 0 },
		description:
			'How long to wait for a complete response, in milliseconds. 0 uses the default: 300,000 in nodes, 60,000 in triggers, and 30,000 for signing in and testing the credential. Triggers wait 120,000 at most.',
	}),
];
