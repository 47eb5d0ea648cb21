/**
 * Values of the parameter `authentication`, which workflows save, and the credential types that they select.
 */
export const CREDENTIALS = {
	apiKey: 'activepiecesApi',
	signIn: 'activepiecesSignInApi',
} as const;

export type CredentialName = (typeof CREDENTIALS)[keyof typeof CREDENTIALS];

/** @param authentication value of the parameter; an unknown value means the API key */
export function credentialName(authentication: unknown): CredentialName {
	return authentication === 'signIn' ? CREDENTIALS.signIn : CREDENTIALS.apiKey;
}
