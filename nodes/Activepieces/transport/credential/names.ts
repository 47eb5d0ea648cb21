/** Values of the parameter `authentication` and the credential types they choose, saved in workflows. */
export const CREDENTIALS = {
	apiKey: 'activepiecesApi',
	signIn: 'activepiecesSignInApi',
} as const;

export type CredentialName = (typeof CREDENTIALS)[keyof typeof CREDENTIALS];

/** @param authentication value of the parameter; anything unknown means the API key */
export function credentialName(authentication: unknown): CredentialName {
	return authentication === 'signIn' ? CREDENTIALS.signIn : CREDENTIALS.apiKey;
}
