import type {
	IAuthenticate,
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { connectionSettingsFields } from '../nodes/Activepieces/descriptions/credentialFields';
import { signIn } from '../nodes/Activepieces/transport/client/signIn';
import {
	authenticate,
	tokenOfSession,
} from '../nodes/Activepieces/transport/credential/credential';

/** For the Community edition, which has no API keys: a person's own session, renewed by n8n. */
export class ActivepiecesSignInApi implements ICredentialType {
	name = 'activepiecesSignInApi';

	displayName = 'Activepieces Sign-In API';

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
			default: '',
			placeholder: 'e.g. https://activepieces.example.com/api',
			description: 'The URL of the Activepieces API, on your own server or on Activepieces Cloud',
			hint: 'Ends in /api',
		},
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. nathan@example.com',
			description: 'The email address of a user who signs in to Activepieces with a password',
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
		},
		...connectionSettingsFields,
		{
			displayName: 'Session Token',
			name: 'sessionToken',
			type: 'hidden',
			// n8n signs in while this is empty, and stores the session here. `password` hides it in n8n's own API.
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<{ sessionToken: string }> {
		const send = async (options: IHttpRequestOptions): Promise<unknown> =>
			await this.helpers.httpRequest(options);
		return { sessionToken: await signIn(send, credentials) };
	}

	/**
	 * A function, because n8n stores more than the token (`transport/credential/credential.ts`). Not a method:
	 * n8n copies the class without its methods for HTTP Request.
	 *
	 * @throws {ValidationError} for another server, and an error that n8n takes for a 401 when the session belongs
	 * to another account, so that n8n signs in again
	 */
	authenticate: IAuthenticate = async (credentials, requestOptions) => {
		const token = tokenOfSession(credentials);
		if (token === '') {
			throw Object.assign(new Error('There is no session yet'), { response: { status: 401 } });
		}
		return authenticate(requestOptions, credentials, token);
	};
}
