import type { ConnectionErrorKind } from './connectionError';
import type { UserMessage } from './error';
import type { IncompleteReason } from './pages';

/** What a response means to a person. `messages.ts` has the text of each kind. */
export type ResponseKind =
	| 'badRequest'
	| 'blockedByFirewall'
	| 'cannotListVersions'
	| 'changeUnderWay'
	| 'editionWithoutKeys'
	| 'endedSession'
	| 'filtersTooLong'
	| 'flowInUse'
	| 'forbidden'
	| 'forbiddenWithoutReason'
	| 'forbiddenTemplate'
	| 'incompleteBody'
	| 'invalidId'
	| 'missingEndpoint'
	| 'missingPermission'
	| 'missingVersion'
	| 'nameTaken'
	| 'noCustomTemplates'
	| 'notAuthenticated'
	| 'notFound'
	| 'notFoundByProxy'
	| 'notWebhook'
	| 'personalProject'
	| 'planFeature'
	| 'planLimit'
	| 'planProjects'
	| 'projectInvitation'
	| 'proxyLogin'
	| 'redirect'
	| 'redirectedCall'
	| 'redirectToNowhere'
	| 'refused'
	| 'refusedByProxy'
	| 'refusedField'
	| 'requestTooLarge'
	| 'retentionOver'
	| 'serverFailed'
	| 'tooManyRequests'
	| 'triggerNotChanged'
	| 'unavailable'
	| 'unexpectedBody'
	| 'unknownList'
	| 'unknownRecord'
	| 'unpublishedFlow'
	| 'unstorableCharacter'
	| 'webPage'
	| 'wrongCredential'
	| 'wrongPath';

/** Why a sign-in was refused. */
export type SignInKind =
	| 'emailDomain'
	| 'emailOrPasswordForm'
	| 'inactiveUser'
	| 'noPlatform'
	| 'noProject'
	| 'singleSignOnOnly'
	| 'tooManySignIns'
	| 'unverifiedEmail'
	| 'wrongPassword';

/** Why there was no response, as far as it changes what a person has to do. */
export type ConnectionKind =
	| 'delayed'
	| 'listTooLarge'
	| 'noResponse'
	| 'noProxyResponse'
	| 'unknownProxy'
	| Exclude<ConnectionErrorKind, 'connectionRefused' | 'connectTimeout' | 'unreachable'>;

/** Why a list was not read to its end. */
export type ListKind = 'listElsewhere' | 'pageTooLong' | IncompleteReason;

export type MessageKind = ResponseKind | SignInKind | ConnectionKind | ListKind;

const STOPPED =
	'The node stopped after {count} records. [{fewerPages}|Check that nothing in front of Activepieces, such as a proxy or a cache, changes or repeats its responses].';

/** Texts for lists that cannot be read to their end, in the form that `messages.ts` describes. */
const LIST_MESSAGES = {
	listElsewhere: {
		message: 'The list of {noun} continues on another server, {otherHost}',
		description:
			'The node sends the credential only to the server in Base URL. Set Base URL in the credential to the URL that the server uses for itself.',
	},
	pageTooLong: {
		message: 'The server returned {count} {noun} at once, more than the node reads ({most})',
		description: 'Check that Base URL in the credential is the URL of the Activepieces API.',
	},
	maxPages: { message: 'The list of {noun} never ends', description: STOPPED },
	repeatedPages: {
		message: 'The server repeats pages of the list of {noun}',
		description: STOPPED,
	},
	emptyPages: {
		message: 'The server returns only empty pages of the list of {noun}',
		description: STOPPED,
	},
	missingRecords: {
		message: 'The server leaves records out of the list of {noun}',
		description: STOPPED,
	},
	tooManyRecords: {
		message: 'There are more {noun} than the node [{perItem}|reads at once] ({most})',
		description: '[{fewerRecords}|The node stopped after {count} records].',
	},
} as const satisfies Record<ListKind, UserMessage>;

/** Texts for a sign-in without a session, in the form that `messages.ts` describes. */
const SIGN_IN_MESSAGES = {
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

/**
 * Texts by kind: `message` says what happened, `description` what to change. `{part}` is filled by
 * `messageParts.ts`. `[…]` is left out when one of its parts is unknown, and `[…|…]` then becomes its
 * second half. The order has no meaning: `messageKind.ts` decides which text is used.
 */
export const MESSAGES = {
	/* The response is not from Activepieces, or from another path of it. */

	webPage: {
		message: 'Base URL points to a web page, not to the Activepieces API',
		description: '{baseUrlHint}',
	},
	wrongPath: {
		message: 'Base URL points to the wrong path on the Activepieces server',
		description: '{baseUrlHint}',
	},
	redirect: {
		message: 'The server redirects to {location}',
		description:
			'The node does not send the {shortCredential} to another URL. If that URL is on your Activepieces server, set Base URL in the credential to its API URL instead of {baseUrl}.',
	},
	redirectToNowhere: {
		message: 'The server responded with HTTP {status} and no target URL',
		description:
			'Activepieces does not respond like this. Check the proxy in front of it. Also check that {baseUrl}, the Base URL in the credential, is the URL of the API.',
	},
	proxyLogin: {
		message: 'The proxy [{proxyHost} ]requires a username and password',
		description:
			'Add them to the URL in {proxyField}. For example: http://user:password@proxy.example:3128',
	},
	blockedByFirewall: {
		message: 'A proxy or firewall in front of Activepieces refused the request (HTTP {status})',
		description:
			'A proxy or firewall responded with a web page, so Activepieces did not check the {credential}. Allow the n8n server to connect to {baseUrl}.',
	},
	refusedByProxy: {
		message: 'A proxy in front of Activepieces refused the request for {record}',
		description: 'Remove control characters (such as the NUL character) from {input}.[ {instead}]',
	},
	notFoundByProxy: {
		message: 'A proxy in front of Activepieces responded that nothing was found (HTTP 404)',
		description:
			'The proxy may be unable to reach Activepieces, for example while it starts. Try again. If this continues, Base URL may be wrong. {baseUrlHint}',
	},
	notWebhook: {
		message:
			'A proxy or firewall in front of Activepieces responded instead of the flow (HTTP {status})',
		description:
			'The node sends this request without the credential. Configure the proxy or firewall to pass POST {baseUrl}/v1/webhooks/… to Activepieces, or add the header that it requires under Options > Headers.',
	},
	redirectedCall: {
		message: 'The server redirects to {location}',
		description:
			'The node does not send the input to another URL. Configure the proxy to pass POST {baseUrl}/v1/webhooks/… to Activepieces. If it redirects to your Activepieces server, set Base URL in the credential to the API URL of that server.',
	},
	unavailable: {
		message: 'Activepieces is unavailable (HTTP {status})',
		description:
			'[Activepieces asks you to wait {wait}. ]The server may be starting or overloaded. Try again later, and check that its API is running.',
	},

	/* The response is a success, but not the expected one. */

	incompleteBody: {
		message: 'The response for the {noun} is incomplete or is not JSON',
		description:
			'The connection may have been interrupted, or a proxy may have changed the response. {again}.',
	},
	unexpectedBody: {
		message: 'The response for the {noun} does not have the expected format',
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
		message: '{Field} must be an Activepieces ID, not {id}',
		description:
			'Activepieces IDs have 21 letters and digits. Choose the {noun} from the list, or copy its ID.',
	},
	filtersTooLong: {
		message: 'The request is larger than the server accepts',
		description: 'Use fewer or shorter values in the filters, or split them across several items.',
	},
	requestTooLarge: {
		message: 'The request is larger than the server accepts',
		description:
			'Check {input}.[ {instead}] A value may be too long, or a proxy in front of Activepieces may have a low limit.',
	},
	unstorableCharacter: {
		message: 'A value contains a character that Activepieces cannot store',
		description: 'Remove control characters (such as the NUL character) from {input}.',
	},
	tooManyRequests: {
		message: 'Activepieces is receiving too many requests',
		description: '[Activepieces asks you to wait {wait}. ]{lessOften}',
	},

	/* The credential, its user or the plan do not allow it. */

	notAuthenticated: {
		message: 'Activepieces did not accept the {credential}',
		description: 'The {credential} was sent to {baseUrl}, the Base URL. {expiredHint}',
	},
	editionWithoutKeys: {
		message: 'This is the Community edition of Activepieces, which has no API keys',
		description:
			'Create a credential with Sign-In instead of API Key. You choose this at the top right of the dialog in n8n 2, or below Connect using in n8n 1. Then enter the email and password of a user.',
	},
	wrongCredential: {
		message: 'Activepieces did not accept the {credential} for this request',
		description: 'This endpoint may not accept this type of credential. {expiredHint}',
	},
	endedSession: {
		message: 'The {credential} or its user is no longer active',
		description: '{expiredHint}',
	},
	missingPermission: {
		message: 'The {user} is not allowed to do this with the {noun}',
		description:
			'The role of that user does not include the permission[ {permission}| for it]. Give the user a role that includes it, or use the {shortCredential} of another user.',
	},
	forbidden: {
		message: 'The {actor} is not allowed to access the {record}',
		description:
			'[Activepieces says: {quote}. ]The {thing} may belong to another platform[: check {field}]. {hint}',
	},
	forbiddenWithoutReason: {
		message: 'The {actor} is not allowed to access the {record}',
		description: 'The {thing} may belong to another platform[: check {field}]. {expiredHint}',
	},
	forbiddenTemplate: {
		message: 'The {actor} is not allowed to delete the {record}',
		description:
			'[Activepieces says: {quote}. ]You can delete only custom templates of your own platform, not official, shared or project templates.',
	},
	projectInvitation: {
		message: 'In this Activepieces release, {record} cannot be deleted with an API key',
		description:
			'Deleting invitations to a project with an API key requires Activepieces 0.79 or later. Update Activepieces, or delete the invitation in Activepieces.',
	},
	planFeature: {
		message: 'The Activepieces plan does not include [{feature}|this feature]',
		description: 'This request needs a plan with that feature (Enterprise or a paid Cloud plan).',
	},
	planLimit: {
		message: 'You have reached a limit of the Activepieces plan',
		description:
			'[Activepieces says: {quote}. ]Check your plan and usage in the platform admin console.',
	},

	planProjects: {
		message: 'The Activepieces plan does not allow another team project',
		description:
			'The Community edition allows one team project. Use the existing project, or a plan that allows more. Nothing was changed.',
	},

	/* The server does not have the record or the endpoint. */

	notFound: {
		message: '{Record} was not found',
		description:
			'Check {field}. The {thing} may have been deleted, or may belong to another Activepieces server or platform.',
	},
	unknownRecord: {
		message: '{Record} was not found',
		description: '[Activepieces says: {quote}. ]{baseUrlHint}',
	},
	unknownList: {
		message: 'The server has no {noun} endpoint for this request (HTTP {status})',
		description: '[Activepieces says: {quote}. ]{baseUrlHint}',
	},
	missingEndpoint: {
		message: 'This Activepieces server has no endpoint {method} {path}',
		description:
			'[The Community edition has no {feature}|The release or edition of the server may not support this endpoint]. If this is not the reason, check that {baseUrl}, the Base URL in the credential, is the URL of the API.',
	},
	missingVersion: {
		message: 'The version of {record} was not found',
		description: 'It may have been deleted. {again}.',
	},
	noCustomTemplates: {
		message: 'This Activepieces server has no custom templates',
		description:
			'The Community edition has no custom templates. Other editions need a plan that includes them (Enterprise or a paid Cloud plan).',
	},
	cannotListVersions: {
		message:
			'This Activepieces release cannot list published versions if a flow has never been published',
		description: 'Set the Status filter to Enabled, or remove the Version State filter.',
	},

	/* The state of the record does not allow it. */

	unpublishedFlow: {
		message: 'The flow of {record} is not published',
		description: 'Publish the flow, or set Strategy to From Failed Step. Nothing was changed.',
	},
	triggerNotChanged: {
		message: 'Activepieces could not start or stop the trigger of {record}',
		description:
			'[Activepieces says: {triggerOutput}. ]Check the trigger and its connection in Activepieces. Also check the status of the flow: its latest version may be published although the flow is disabled.',
	},
	flowInUse: {
		message: 'Another user is editing {record}',
		description: 'Run the node again one minute after the last edit. Nothing was changed.',
	},
	changeUnderWay: {
		message: 'Another change to {record} is in progress',
		description:
			'Run the node again in a moment. If this continues, check that an Activepieces worker is running. Nothing was changed.',
	},
	personalProject: {
		message: '{Record} is a personal project, so you cannot invite users to it',
		description: 'Choose a team project in [{field}|Project].',
	},
	retentionOver: {
		message: '{Record} is too old to retry',
		description:
			'Activepieces keeps the data needed for a retry for [{retentionDays}|a few] days. Run the flow again instead, for example with Flow > Run.',
	},
	nameTaken: {
		message: 'Another {noun} in the project already has the name "{newName}"',
		description: 'Names are not case-sensitive. Change New Name and run the node again.',
	},

	/* Anything else */

	serverFailed: {
		message: 'Activepieces could not process the request (HTTP {status})',
		description: '[Activepieces says: {quote}. ]The cause is on the server. Check its log.',
	},
	refused: {
		message: 'Activepieces refused the request (HTTP {status})',
		description: '[Activepieces says: {quote}. ]Check {input}.[ {instead}]',
	},

	/* There is no response, or none that can be read. */

	unknownHost: {
		message: 'The host {host} was not found',
		description: 'Check Base URL in the credential for typos, and the DNS of the n8n server.',
	},
	unknownProxy: {
		message: 'The proxy {proxyHost} was not found',
		description: 'Check {proxyField}. Look for typos, and check the DNS of the n8n server.',
	},
	noResponse: {
		message: 'No server responds at {host}',
		description:
			'Check the host and port of Base URL in the credential. Also check that Activepieces is running and that the n8n server can reach it. In Docker, localhost is the container itself.',
	},
	noProxyResponse: {
		message: 'The proxy {proxyHost} does not respond',
		description:
			'Check {proxyField}. Also check that the proxy is running and that the n8n server can reach it.',
	},
	timeout: {
		message: '{host} did not respond in time',
		description: 'Try again later, [{smaller}, ]or raise Timeout in the credential.',
	},
	delayed: {
		message: '{host} did not respond in time',
		description: '{delayedBy}',
	},
	connectionReset: {
		message: '{host} closed the connection before the response was complete',
		description:
			'The server or a proxy in front of it may be restarting. Try again. If this continues, check whether Base URL in the credential must begin with http:// or https://.[ Also check {proxyField}: the proxy is {proxyHost}.]',
	},
	untrustedCertificate: {
		message: 'The certificate of {host} is not trusted',
		description:
			'On the server, install a certificate that n8n trusts. If you trust the server, you can turn on Ignore SSL Issues in the credential instead.',
	},
	tlsProtocol: {
		message: '{host} does not support HTTPS',
		description:
			'If the server has no certificate, Base URL in the credential must start with http://',
	},
	undecodable: {
		message: 'The response from {host} could not be decompressed',
		description:
			'Its content does not match its Content-Encoding header. Check the proxy in front of Activepieces, or Base URL in the credential.',
	},
	tooLarge: {
		message: 'The response from {host} [{reason}|is too large]',
		description:
			'The node does not read larger responses. No single Activepieces record is that large: check Base URL in the credential.',
	},
	// A smaller page was requested before.
	listTooLarge: {
		message: 'The response from {host} [{reason}|is too large]',
		description:
			'The node does not read larger responses. Use filters. If the response is still too large, check Base URL in the credential.',
	},
	other: {
		message: 'The request to {host}[ through the proxy {proxyHost}] could not be completed',
		description:
			'[{reason}. ]Check Base URL in the credential.[ Also check {proxyField}: the proxy is {proxyHost}.]',
	},

	...LIST_MESSAGES,
	...SIGN_IN_MESSAGES,
} as const satisfies Record<MessageKind, UserMessage>;

/** Added to the message when its request was sent several times */
export const AFTER_TRIES = ', after {tries} tries in {time}';

/** Added to the description when a change may have been made without a confirmation */
export const MAYBE_DONE =
	' Activepieces may have applied the change. Check in Activepieces before you run the node again.';

/** In the description when a change was certainly not made */
const NOTHING_CHANGED = ' Nothing was changed.';

/** A description without what it says about the change, for an error that says more about it. */
export const withoutOutcome = (description: string): string =>
	description.replace(NOTHING_CHANGED, '').replace(MAYBE_DONE, '');

/** Added to the description when the list is that of one of several projects */
export const OF_PROJECT = {
	/** Only the list of this project is refused */
	refused: ' The error occurred in the project {project}.[ {leaveOut}]',
	/** Any other reason may not concern the project */
	failed: ' The error occurred while reading the project {project}.',
} as const;
