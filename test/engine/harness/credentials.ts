import type { PackageDirectoryLoader } from 'n8n-core';
import {
	type ICredentialDataDecryptedObject,
	ICredentialsHelper,
	type IHttpRequestOptions,
} from 'n8n-workflow';

/** What a person enters in the credential. */
export type Credential = ICredentialDataDecryptedObject & { baseUrl: string; apiKey: string };

/** A credential whose fields come from an expression is another one for each input item. */
export type CredentialSource = Credential | ((item: number) => Credential);

/** Gives the node one credential and applies the credential class's own `authenticate`. */
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

	async preAuthentication() {
		return undefined;
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
		...[, , , , , , values]: Parameters<ICredentialsHelper['getDecrypted']>
	): Promise<ICredentialDataDecryptedObject> {
		const { credential } = this;
		return {
			...(typeof credential === 'function' ? credential(values?.itemIndex ?? 0) : credential),
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
