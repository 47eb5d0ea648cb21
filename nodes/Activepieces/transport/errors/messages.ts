import type { UserMessage } from './activepiecesError';
import type { MessageKind } from './messageKind';

/**
 * What the person reads, by what happened: `message` says that, `description` says what to change.
 * `{part}` stands for what `messageParts.ts` knows of the request, the response and the reader; `[…]` is
 * left out when a part in it is not known, and `[…|…]` becomes its second half then. The order has no
 * meaning: `messageKind.ts` decides which text fits.
 */
export const MESSAGES = {
	/* Who answered was not Activepieces, or Activepieces at another address. */

	webPage: {
		message: 'Base URL leads to a web page, not to the API of Activepieces',
		description: '{baseUrlHint}',
	},
	wrongPath: {
		message: 'Base URL leads to the wrong place on the server of Activepieces',
		description: '{baseUrlHint}',
	},
	redirect: {
		message: 'The server redirects to {location}',
		description:
			'The {shortCredential} is not sent on to another address. If the target is your Activepieces server, set Base URL in the credential to it instead of {baseUrl}.',
	},
	redirectToNowhere: {
		message: 'The server answered with HTTP {status} and named no address',
		description:
			'Activepieces does not answer so. Check the proxy in front of it, and that {baseUrl}, the Base URL in the credential, is the address of the API.',
	},
	proxyLogin: {
		message: 'The proxy [{proxyHost} ]wants a user and a password',
		description:
			'Enter them in the address of the proxy, as in http://user:password@proxy.example:3128: in {proxyField}.',
	},
	blockedByFirewall: {
		message: 'Something in front of Activepieces refused the request (HTTP {status})',
		description:
			'A proxy or firewall answered with a web page, so the {credential} was not looked at. Let the n8n server through to {baseUrl}.',
	},
	refusedByProxy: {
		message: 'The server in front of Activepieces refused the request for {record}',
		description: 'Check {input} for control characters.[ {instead}]',
	},
	notFoundByProxy: {
		message: 'Something in front of Activepieces answered that nothing was found (HTTP 404)',
		description:
			'A proxy may have no way to the server, for example while it starts. Try again; if it stays so: {baseUrlHint}',
	},
	unavailable: {
		message: 'Activepieces is not available behind its proxy (HTTP {status})',
		description:
			'[It asks to wait {seconds} seconds. ]The server may be starting or overloaded. Try again later, and check that its API is running.',
	},

	/* The answer is a success, but not the one asked for. */

	incompleteBody: {
		message: 'The answer for the {noun} is incomplete or not JSON',
		description:
			'The connection may have been cut, or a proxy may have changed the answer. {again}.',
	},
	unexpectedBody: {
		message: 'The answer for the {noun} does not have the expected form',
		description: '{baseUrlHint}',
	},

	/* The request cannot be used. */

	badRequest: {
		message: 'Activepieces did not accept the request',
		description: '[Activepieces says: {quote}. ]Check {input}.[ {instead}]',
	},
	refusedField: {
		message: 'Activepieces did not accept the value of {refusedField}',
		description:
			'[Activepieces says: {quote}. ][{changeField}|Check {input}].[ {instead}] {again}.',
	},
	invalidId: {
		message: '{Field} {id} is not an ID of Activepieces',
		description:
			'An ID has 21 letters and digits. Choose the {noun} from the list, or copy its ID.',
	},
	filtersTooLong: {
		message: 'The request is larger than the server accepts',
		description: 'Use fewer or shorter values in the filters, or split them over several items.',
	},
	requestTooLarge: {
		message: 'The request is larger than the server accepts',
		description:
			'Check {input}.[ {instead}] A value may be too long, or a proxy in front of Activepieces allows too little.',
	},
	unstorableCharacter: {
		message: 'A value has a character that Activepieces cannot store',
		description: 'Remove control characters (such as the NUL character) from {input}.',
	},
	tooManyRequests: {
		message: 'Activepieces is receiving too many requests',
		description: '[It asks to wait {seconds} seconds. ]{lessOften}',
	},

	/* The credential, its user or the plan do not allow it. */

	notAuthenticated: {
		message: 'Activepieces does not accept the {credential}',
		description: '{expiredHint} It was sent to {baseUrl}, the Base URL.',
	},
	wrongCredential: {
		message: 'No {credential} that Activepieces accepts came with the request',
		description: 'It may be empty, or of a kind that this endpoint does not take. {expiredHint}',
	},
	endedSession: {
		message: 'The session or {user} is no longer active',
		description: '{expiredHint}',
	},
	missingPermission: {
		message: 'The {user} may not do this with the {noun}',
		description:
			'The role of that user lacks the permission [{permission}|for it]. Give the user a role with it, or use the {shortCredential} of another user.',
	},
	forbidden: {
		message: 'The {actor} may not access the {record}',
		description:
			'[Activepieces says: {quote}. ]It may belong to another platform[: check {field}]. {hint}',
	},
	forbiddenWithoutReason: {
		message: 'The {actor} may not access the {record}',
		description: 'It may belong to another platform[: check {field}]. {expiredHint}',
	},
	forbiddenTemplate: {
		message: 'The {actor} may not delete the {record}',
		description:
			'[Activepieces says: {quote}. ]Only custom templates of the own platform can be deleted; official, shared and project templates cannot.',
	},
	projectInvitation: {
		message: 'This release of Activepieces lets no API key delete {record}',
		description:
			'Invitations to a project can be deleted with an API key from release 0.79 on. Invitations to the platform can be deleted on every release.',
	},
	planFeature: {
		message: 'The Activepieces plan does not include [{feature}|{noun}]',
		description:
			'The server answers this request only on a plan with that feature (Enterprise or a paid cloud plan).',
	},
	planLimit: {
		message: 'A limit of the Activepieces plan is reached',
		description:
			'[Activepieces says: {quote}. ]Check plan and usage in the platform admin console.',
	},

	/* The server does not have it. */

	notFound: {
		message: '{Record} was not found',
		description:
			'Check {field}: it may have been deleted, or belong to another Activepieces server or platform.',
	},
	unknownRecord: {
		message: '{Record} was not found',
		description: '[Activepieces says: {quote}. ]{baseUrlHint}',
	},
	unknownList: {
		message: 'The server does not know the {noun}',
		description: '[Activepieces says: {quote}. ]{baseUrlHint}',
	},
	missingEndpoint: {
		message: 'This Activepieces server has no endpoint {method} {path}',
		description:
			'[The Community edition has no {feature}|Its release or edition may not offer it]. Otherwise check that {baseUrl}, the Base URL in the credential, is the address of the API.',
	},
	noCustomTemplates: {
		message: 'This Activepieces server has no custom templates',
		description:
			'The Community edition has none, nor have plans without that feature (Enterprise or a paid cloud plan).',
	},
	cannotListVersions: {
		message:
			'This release of Activepieces cannot list published versions when a flow was never published',
		description:
			'Set the filter Status to Enabled beside Version State Locked, or leave Version State out.',
	},

	/* Its state does not allow it. */

	unpublishedFlow: {
		message: 'The flow of {record} is not published',
		description: 'Publish the flow, or set Strategy to From Failed Step. Nothing was changed.',
	},
	triggerNotChanged: {
		message: 'Activepieces could not start or stop the trigger of {record}',
		description:
			"[Activepieces says: {triggerOutput}. ]Check the trigger and its connection in Activepieces, and the flow's status: its latest version may be published although the flow is off.",
	},
	flowInUse: {
		message: 'Another user is editing {record}',
		description: 'Run the node again a minute after the last edit. Nothing was changed.',
	},
	changeUnderWay: {
		message: 'Another change of {record} is under way',
		description:
			'Run the node again in a moment. If it stays so, check that a worker of Activepieces is running. Nothing was changed.',
	},
	personalProject: {
		message: '{Record} is a personal project, which nobody can be invited to',
		description: 'Choose a team project in [{field}|Project].',
	},
	retentionOver: {
		message: '{Record} is too old to be retried',
		description: 'Activepieces keeps what a retry needs for [{retentionDays}|some] days.',
	},
	nameTaken: {
		message: 'Another {noun} of the project already has the name "{newName}"',
		description:
			'Names are compared without regard to case. Change New Name and run the node again.',
	},

	/* Anything else */

	serverFailed: {
		message: 'Activepieces could not process the request (HTTP {status})',
		description: '[Activepieces says: {quote}. ]The cause is on the server: its log says more.',
	},
	refused: {
		message: 'Activepieces refused the request (HTTP {status})',
		description: '[Activepieces says: {quote}. ]Check {input}.[ {instead}]',
	},

	/* No response came, or none that can be read. */

	unknownHost: {
		message: 'The host {host} was not found',
		description: 'Check Base URL in the credential for typos, and the DNS of the n8n server.',
	},
	unknownProxy: {
		message: 'The proxy {proxyHost} was not found',
		description: 'Check {proxyField}. Look for typos, and check the DNS of the n8n server.',
	},
	noAnswer: {
		message: 'Nothing answers at {host}',
		description:
			'Check host and port of Base URL in the credential, and that Activepieces is running and can be reached from the n8n server. Inside Docker, localhost is the container itself.',
	},
	noAnswerOfProxy: {
		message: 'The proxy {proxyHost} does not answer',
		description:
			'Check {proxyField}, and that the proxy is running and can be reached from the n8n server.',
	},
	timeout: {
		message: '{host} did not answer in time',
		description: 'Try again later, [{smaller}, ]or raise Timeout in the credential.',
	},
	delayed: {
		message: '{host} did not answer in time',
		description: '{delayedBy}',
	},
	connectionReset: {
		message: '{host} closed the connection before the answer was complete',
		description:
			'The server or a proxy in front of it may be restarting. Try again. If it stays so, check Base URL (http or https) in the credential[, and the proxy {proxyHost}].',
	},
	untrustedCertificate: {
		message: 'The certificate of {host} is not trusted',
		description:
			'Give the server a certificate that n8n trusts, or turn on Ignore SSL Issues in the credential if you know the server.',
	},
	tlsProtocol: {
		message: '{host} does not speak HTTPS',
		description:
			'If the server has no certificate, Base URL in the credential must begin with http://',
	},
	undecodable: {
		message: 'The answer of {host} could not be decompressed',
		description:
			'Its content does not fit its Content-Encoding. Check the proxy in front of Activepieces, or the address in Base URL.',
	},
	tooLarge: {
		message: 'The answer of {host} [{reason}|is too large]',
		description:
			'The node reads no more of one answer. No answer of Activepieces about one record is as large: check Base URL in the credential.',
	},
	// A page with fewer rows was asked for before.
	listTooLarge: {
		message: 'The answer of {host} [{reason}|is too large]',
		description:
			'The node reads no more of one answer. Use filters. No answer of Activepieces about one record is as large: check Base URL in the credential.',
	},
	other: {
		message: 'The request to {host}[ through the proxy {proxyHost}] could not be completed',
		description: '[{reason}. ]Check Base URL in the credential[, and the proxy {proxyHost}].',
	},

	/* Signing in gave no session. */

	wrongPassword: {
		message: 'Activepieces does not accept the email and password',
		description:
			'Check Email and Password in the credential. They were sent to {baseUrl}, the Base URL.',
	},
	emailOrPasswordForm: {
		message: 'Activepieces does not accept the email and password',
		description:
			'Check Email and Password in the credential: Email has to be a whole address, and a password of Activepieces has at least 8 characters. They were sent to {baseUrl}, the Base URL.',
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
			'Passwords are turned off on it. Use an API key instead, in a credential of type Activepieces API.',
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
		message: 'The Activepieces user is on no platform yet',
		description:
			'Sign in to Activepieces in a browser once to finish signing up, or get an invitation.',
	},
	tooManySignIns: {
		message: 'Activepieces is receiving too many sign-ins',
		description:
			'It allows 50 a minute, for all users behind one address together. {again} after a minute.',
	},
} as const satisfies Record<MessageKind, UserMessage>;

/** What follows any of these messages when its request was sent several times */
export const AFTER_TRIES = ', after {tries} tries in {time}';

/** What follows any of these descriptions when a change may have been made although nobody confirmed it */
export const MAYBE_DONE =
	' Activepieces may have done it all the same: look before you run the node again.';
