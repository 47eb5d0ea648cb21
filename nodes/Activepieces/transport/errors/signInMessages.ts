import type { UserMessage } from './activepiecesError';
import type { SignInKind } from './kinds';

/** Texts for a sign-in without a session, in the form that `messages.ts` describes. */
export const SIGN_IN_MESSAGES = {
	wrongPassword: {
		message: 'Activepieces did not accept the email and password',
		description:
			'Check Email and Password in the credential. They were sent to {baseUrl}, the Base URL.',
	},
	emailOrPasswordForm: {
		message: 'Activepieces did not accept the email and password',
		description:
			'Check Email and Password in the credential. Email must be a complete address, and passwords in Activepieces have at least 8 characters. They were sent to {baseUrl}, the Base URL.',
	},
	inactiveUser: {
		message: 'The Activepieces user is deactivated',
		description:
			'Ask an admin of the Activepieces platform to activate the user, or sign in as another user.',
	},
	unverifiedEmail: {
		message: 'The email address of the Activepieces user is not verified',
		description: 'Open the link in the email that Activepieces sent. {again}.',
	},
	singleSignOnOnly: {
		message: 'The Activepieces platform allows single sign-on only',
		description:
			'It does not accept passwords. Use an API key instead, in an Activepieces API credential.',
	},
	emailDomain: {
		message: 'The Activepieces platform does not allow this email domain',
		description:
			'Ask an admin of the Activepieces platform to allow the domain, or sign in as another user.',
	},
	noProject: {
		message: 'The Activepieces user has no project',
		description:
			'Ask an admin of the Activepieces platform to invite the user to a project, or sign in as another user.',
	},
	noPlatform: {
		message: 'The Activepieces user does not belong to a platform yet',
		description:
			'Sign in to Activepieces in a browser once to finish signing up, or ask for an invitation.',
	},
	tooManySignIns: {
		message: 'Activepieces is receiving too many sign-ins',
		description:
			'It allows 50 sign-ins per minute for all users who share an IP address. Wait a minute. {again}.',
	},
} as const satisfies Record<SignInKind, UserMessage>;
