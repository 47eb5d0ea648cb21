import type { PackageDirectoryLoader } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialsHelper,
	IHttpRequestOptions,
	INodeParameters,
} from 'n8n-workflow';

import { pause } from './pauses';

export type Credential = ICredentialDataDecryptedObject & { baseUrl: string; apiKey: string };

export type SignInCredential = ICredentialDataDecryptedObject & {
	baseUrl: string;
	email: string;
	password: string;
};

export type AnyCredential = Credential | SignInCredential;

/** A credential whose fields are expressions differs for each input item. */
export type CredentialSource = AnyCredential | ((item: number) => AnyCredential);

export const typeOf = (credential: AnyCredential) =>
	'password' in credential ? 'activepiecesSignInApi' : 'activepiecesApi';

/** The parameter that selects a credential; for one from expressions, the test itself selects it. */
export const selectionOf = (credential: CredentialSource): INodeParameters =>
	typeof credential === 'object' && 'password' in credential ? { authentication: 'signIn' } : {};

/** What n8n has saved with a credential, for all later runs of a test with the same object. */
const saved = new WeakMap<CredentialSource, ICredentialDataDecryptedObject>();

/** What n8n stores with a credential beside its fields: its session. */
export const savedWith = (source: CredentialSource) => saved.get(source) ?? {};

export const save = (source: CredentialSource, data: ICredentialDataDecryptedObject) =>
	saved.set(source, data);

/** Gives the node one credential, applies its class's functions, and saves what n8n saves. */
export function credentialsHelper(loader: PackageDirectoryLoader, credential: CredentialSource) {
	const typeNamed = (name: string) => loader.getCredential(name).type;
	const helper: Partial<ICredentialsHelper> = {
		async authenticate(credentials, typeName, requestOptions: IHttpRequestOptions) {
			const { authenticate } = typeNamed(typeName);
			if (typeof authenticate !== 'function') throw new Error(`${typeName} has no authenticate()`);
			return await authenticate(credentials, requestOptions);
		},

		/** As in n8n's own helper: when the token is empty or has expired. */
		async preAuthentication(helpers, credentials, typeName, node, credentialsExpired) {
			const { properties, preAuthentication } = typeNamed(typeName);
			const token = properties.find(
				({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
			);
			if (token === undefined || preAuthentication === undefined) return undefined;
			await pause();
			if (credentials[token.name] !== '' && !credentialsExpired) return undefined;
			const output = (await preAuthentication.call(helpers, credentials)) as typeof credentials;
			if (output[token.name] === undefined || node.credentials === undefined) return undefined;
			await pause();
			save(credential, output);
			return Object.assign(credentials, output);
		},

		async getDecrypted(...[, , type, , , , values]) {
			await pause();
			return {
				...Object.fromEntries(
					typeNamed(type).properties.map(({ name, default: value }) => [name, value as string]),
				),
				...(typeof credential === 'function' ? credential(values?.itemIndex ?? 0) : credential),
				...savedWith(credential),
			};
		},

		getParentTypes: () => [],
		isCredentialUsableByNode: () => true,
		getCredentialsProperties: (type) => typeNamed(type).properties,
	};
	return helper;
}
