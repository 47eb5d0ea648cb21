import type { IAuthenticate, Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { connectionSettingsFields } from '../nodes/Activepieces/descriptions/credentialFields';
import { authenticate, requireApiKey } from '../nodes/Activepieces/transport/credential/credential';

export class ActivepiecesApi implements ICredentialType {
	name = 'activepiecesApi';

	displayName = 'Activepieces API';

	icon: Icon = {
		light: 'file:../icons/activepieces.svg',
		dark: 'file:../icons/activepieces.dark.svg',
	};

	documentationUrl = 'https://github.com/OWNER/n8n-nodes-activepieces#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: 'https://cloud.activepieces.com/api',
			placeholder: 'e.g. https://activepieces.example.com/api',
			description: 'The URL of the Activepieces API, on your own server or on Activepieces Cloud',
			hint: 'Ends in /api',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			placeholder: 'e.g. sk-...',
			description:
				'Create a key in the platform admin console of Activepieces, under Security > API Keys',
			hint: 'The Community edition has no API keys. Choose Sign-In: at the top right in n8n 2, below Connect using in n8n 1.',
		},
		...connectionSettingsFields,
	];

	/**
	 * A function, because n8n would evaluate the expressions of a generic `authenticate` for each request, and because
	 * pasted keys come with extra characters. Not a method: n8n copies the class without its methods for HTTP Request.
	 *
	 * @throws {ValidationError} when there is no key, when the value cannot be a key, and for another server
	 */
	authenticate: IAuthenticate = async (credentials, requestOptions) =>
		authenticate(requestOptions, credentials, requireApiKey(credentials.apiKey));
}
