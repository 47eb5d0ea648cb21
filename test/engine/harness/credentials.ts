import type { PackageDirectoryLoader } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	ICredentialsHelper,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
} from 'n8n-workflow';

/** The fields of the API Key credential. */
export type Credential = ICredentialDataDecryptedObject & { baseUrl: string; apiKey: string };

/** The fields of the Sign-In credential. */
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

/** What n8n has saved with a credential, for all later runs of a test with the same object. */
const saved = new WeakMap<CredentialSource, ICredentialDataDecryptedObject>();

/** What n8n stores with a credential beside its fields: its session. */
export const savedWith = (source: CredentialSource) => saved.get(source) ?? {};

/** Changes what n8n has saved with a credential. */
export const save = (source: CredentialSource, data: ICredentialDataDecryptedObject) =>
	saved.set(source, data);

/** Gives the node one credential, applies its class's functions, and saves what n8n saves. */
export class TestCredentialsHelper extends ICredentialsHelper {
	constructor(
		private readonly loader: PackageDirectoryLoader,
		private readonly credential: CredentialSource,
	) {
		super();
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.loader.getCredential(typeName).type;
		if (typeof authenticate !== 'function') throw new Error(`${typeName} has no authenticate()`);
		return await authenticate(credentials, requestOptions);
	}

	/** As in n8n's own helper: when the token is empty or has expired. */
	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const { type } = this.loader.getCredential(typeName);
		const token = type.properties.find(
			(property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
		);
		if (token === undefined || type.preAuthentication === undefined) return undefined;
		if (credentials[token.name] !== '' && !credentialsExpired) return undefined;
		const output = (await type.preAuthentication.call(
			helpers,
			credentials,
		)) as ICredentialDataDecryptedObject;
		if (output[token.name] === undefined || node.credentials === undefined) return undefined;
		save(this.credential, output);
		return Object.assign(credentials, output);
	}

	async runPreAuthentication() {
		return undefined;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	async getDecrypted(
		...[, , type, , , , values]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		const { credential } = this;
		const { properties } = this.loader.getCredential(type).type;
		return {
			...Object.fromEntries(properties.map(({ name, default: value }) => [name, value as string])),
			...(typeof credential === 'function' ? credential(values?.itemIndex ?? 0) : credential),
			...savedWith(credential),
		};
	}

	async getCredentials(): Promise<never> {
		throw new Error('not used by the engine in these tests');
	}

	async updateCredentials() {}

	async updateCredentialsOauthTokenData() {}

	getCredentialsProperties(type: string) {
		return this.loader.getCredential(type).type.properties;
	}
}
