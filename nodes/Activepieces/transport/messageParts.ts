import type { ConnectionError } from './connectionError';
import type { Endpoint, RequestSubject } from './endpoint';
import { isStatus } from './httpStatus';
import type { ApiResponse } from './response';
import { SIGN_IN } from './endpoint';
import { capitalize, inSeconds, nameAndId, plainText, shortName, unended } from './text';
import { describeValue, textOf } from './values';
import {
	BASE_URL_HINTS,
	CREDENTIAL_WORDS,
	type CredentialKind,
	type MessagePlace,
	PLACE_WORDS,
	SIGN_IN_INPUT,
} from './words';

/** The names of the parts in a template. */
type PartsIn<Template extends string> = Template extends `${string}{${infer Part}}${infer Rest}`
	? Part | PartsIn<Rest>
	: never;

type Parts<Name extends string = string> = Record<Name, string | undefined>;

const PART = /\{(\w+)\}/g;

/** A piece of a template: `[optional]`, `[optional|otherwise]`, or the text between them. */
const PIECE = /\[([^[\]|]*)(?:\|([^[\]|]*))?\]|[^[\]]+/g;

const fillPiece = (piece: string, parts: Parts): string =>
	piece.replace(PART, (_part, name: string) => parts[name] ?? '');

const isKnown = (piece: string, parts: Parts): boolean =>
	[...piece.matchAll(PART)].every(([, name]) => parts[name] !== undefined);

/**
 * Fills the parts of a template: `{name}`. Text in brackets is left out if one of its parts is unknown;
 * `[one|other]` then becomes `other`. Parts are inserted as they are, whatever they contain.
 */
export function fillTemplate<Template extends string>(
	template: Template,
	parts: Parts<PartsIn<Template>>,
): string {
	return template.replace(PIECE, (piece, optional: string | undefined, otherwise = '') => {
		if (optional === undefined) return fillPiece(piece, parts);
		return fillPiece(isKnown(optional, parts) ? optional : otherwise, parts);
	});
}

/** What a message about a request may contain. The key is never part of it. */
export interface ErrorContext extends RequestSubject, Omit<Endpoint, 'movedTo'> {
	baseUrl: string;
	credentialKind: CredentialKind;
	/** Where the message appears */
	place: MessagePlace;
	/** Host and port of the proxy */
	proxyHost?: string;
	/** Whether the request calls a flow at its webhook */
	isCall?: boolean;
	/** The ID as the person entered it */
	id?: string;
}

/** What is known about a list that was not read to its end. */
export interface ListFacts {
	/** Number of records that were read */
	count?: number;
	/** Maximum number of records */
	most?: number;
	/** Host on which the list continues */
	otherHost?: string;
}

/** Whether a request was for a list of the node that has filters. */
export const hasFilters = ({ place, id, labels = {} }: ErrorContext): boolean =>
	place === 'node' && id === undefined && Object.keys(labels).length > 0;

/** The name of the field in `querystring/status/0 must be …`, `body/displayName Invalid input: …`. */
export const refusedField = ({ message }: ApiResponse): string | undefined =>
	/^(?:querystring|body|params)(?:\/| must have required property ')([\w-]+)/.exec(
		message ?? '',
	)?.[1];

/** A word or number from a server, shortened for a message. */
const wordOf = (value: unknown): string | undefined => shortName(textOf(value)) || undefined;

/** `folder "abc"`; `project "Sales" (def)` for the flows of a project; `flows` without an ID. */
function recordOf({ noun, id, within }: ErrorContext): string {
	if (within === undefined) return id === undefined ? noun : `${noun} "${shortName(id)}"`;
	const { name } = within;
	return name === undefined
		? `${within.noun} "${shortName(within.id)}"`
		: `${within.noun} ${nameAndId(name, within.id)}`;
}

/** What the person entered for the request, in the words of the place where the message appears. */
function inputOf(context: ErrorContext): string {
	const { place, method, path, field } = context;
	if (path === SIGN_IN.path) return SIGN_IN_INPUT;
	// A change or a create has more fields than the one with the ID.
	const ownField = place === 'node' && method !== 'POST' ? field : undefined;
	const filters = hasFilters(context) ? 'the filters' : undefined;
	const names = [ownField, filters].filter((name) => name !== undefined);
	return names.length > 0 ? names.join(' and ') : PLACE_WORDS[place].input;
}

/** Suggests the right Base URL, for responses that do not come from the API. */
function baseUrlHint(baseUrl: string): string {
	const { origin, pathname } = new URL(baseUrl);
	const path = pathname === '/' ? '' : pathname;
	const upToApi = /^.*?\/api(?=\/|$)/.exec(path)?.[0] ?? `${path}/api`;
	const { endsInApi, endsElsewhere } = BASE_URL_HINTS;
	return fillTemplate(path === upToApi ? endsInApi : endsElsewhere, {
		baseUrl,
		atRoot: path === '/api' ? undefined : `${origin}/api`,
		// A path is more likely that of a page of the web app than one under which Activepieces is served.
		underPath: upToApi === '/api' ? undefined : origin + upToApi,
	});
}

const NO_RESPONSE: Partial<ApiResponse> & Pick<ApiResponse, 'params'> = { params: {} };

function partsOfResponse(response: ApiResponse | undefined, { labels = {} }: ErrorContext) {
	const { status, location, message, retryAfterMs, params } = response ?? NO_RESPONSE;
	const field = response && refusedField(response);
	const [output] = textOf(params.standardError).trim().split('\n');
	return {
		status: wordOf(status),
		location,
		quote: message && unended(message),
		wait: retryAfterMs === undefined ? undefined : inSeconds(Math.ceil(retryAfterMs / 1000) * 1000),
		refusedField:
			field === undefined || !Object.hasOwn(labels, field) ? `"${field}"` : labels[field],
		permission: wordOf(params.permission),
		retentionDays: wordOf(params.failedJobRetentionDays),
		/** The first line of the output of a trigger that could not be started */
		triggerOutput: unended(plainText(output, 200)) || undefined,
	};
}

interface PartSources {
	response?: ApiResponse;
	connectionError?: ConnectionError;
	list?: ListFacts;
}

/**
 * Whether it may help to leave out the project, one of several, that cannot be read. A plan applies to
 * all projects.
 */
const mayLeaveOut = ({ within }: ErrorContext, response?: ApiResponse): boolean =>
	(within?.of ?? 1) > 1 && !isStatus(response?.status, 'paymentRequired');

/**
 * The values of all parts that a message may contain: of the request, of the place, and of the response.
 * Unknown parts are undefined.
 */
export function partsOf(
	context: ErrorContext,
	{ response, connectionError, list = {} }: PartSources,
) {
	const { noun, field, id, newName, method, path, feature, delayedBy, place, within } = context;
	const { baseUrl, proxyHost, credentialKind } = context;
	const { changeField, instead, smaller, leaveOut, fewerPages, fewerRecords, perItem, ...words } =
		PLACE_WORDS[place];
	const record = recordOf(context);
	const reason = connectionError?.text;
	return {
		...words,
		...CREDENTIAL_WORDS[credentialKind],
		...partsOfResponse(response, context),
		noun,
		field,
		Field: capitalize(field ?? noun),
		record,
		Record: capitalize(record),
		thing: (within ?? context).noun,
		id: describeValue(id),
		newName,
		method,
		path,
		feature,
		delayedBy,
		baseUrl,
		baseUrlHint: baseUrlHint(baseUrl),
		host: new URL(baseUrl).host,
		proxyHost,
		input: inputOf(context),
		changeField,
		fewerPages,
		fewerRecords,
		perItem,
		project: within && nameAndId(within.name ?? within.id, within.id),
		leaveOut: mayLeaveOut(context, response) ? leaveOut : undefined,
		otherHost: list.otherHost,
		count: textOf(list.count) || undefined,
		most: textOf(list.most) || undefined,
		instead: path === SIGN_IN.path ? undefined : instead,
		smaller: method === 'GET' && id === undefined ? smaller : undefined,
		reason: reason && unended(plainText(reason)),
	};
}
