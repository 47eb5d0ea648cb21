import type { IncompleteReason } from '../paging/paginate';
import type { ConnectionErrorKind } from './connectionError';

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
