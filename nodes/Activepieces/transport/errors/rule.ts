import type { ConnectionError, ConnectionErrorKind } from '../http/connectionError';
import {
	isFromService,
	isRecordUnknown,
	isStatus,
	type ApiResponse,
	type StatusClass,
	type StatusName,
} from '../http/response';
import type { Facts, Words } from './words';

/**
 * A row of a table of texts: when it applies, and its text. `message` says what happened, `description` what to
 * change. A condition that a row lacks holds, and the first row whose conditions all hold counts.
 */
interface Rule<F> {
	/** What the other conditions cannot say */
	when?: (facts: F) => boolean;
	message: Text<F>;
	description: Text<F>;
}

type Text<F> = string | ((words: Words, facts: F) => string);

export function textOfRule<F>({ message, description }: Rule<F>, words: Words, facts: F) {
	const say = (text: Text<F>) => (typeof text === 'string' ? text : text(words, facts));
	return { message: say(message), description: say(description) };
}

export type ResponseFacts = Facts & { response: ApiResponse };

/** What a response means that was not expected. */
export interface ResponseRule extends Rule<ResponseFacts> {
	/** Who responded: the service itself, in one of its own shapes, or something in front of it, such as a proxy */
	from?: 'service' | 'inFront';
	isPage?: true;
	status?: StatusName | StatusClass | Array<StatusName | StatusClass>;
	code?: string | string[];
	/** `message` of the response: without secrets, and of at most 300 characters */
	says?: RegExp;
	/** What the service does not have: the record of the request, one of a kind, or the endpoint */
	unknown?: 'record' | 'FlowVersion' | 'Project' | 'endpoint';
}

type ConnectionFacts = Facts & { error: ConnectionError };

/** What it means that there is no response, or none that can be read. */
export interface ConnectionRule extends Rule<ConnectionFacts> {
	kind?: ConnectionErrorKind | ConnectionErrorKind[];
}

/** Why a list was not read to its end. */
export type IncompleteReason =
	/** Pages were repeated: for a cursor that the service does not know, it silently returns the first page */
	| 'repeatedPages'
	| 'tooManyRecords'
	/** A page after the first has no records, although the one before it said that more follow */
	| 'missingRecords';

export type ListFacts = Facts & {
	list: { kind: IncompleteReason; count?: number; most?: number };
};

export interface ListRule extends Rule<ListFacts> {
	kind?: IncompleteReason;
}

/** Whether a value is one of those in a row; a row without them has no such condition. */
const isOneOf = <T>(wanted: T | T[] | undefined, value: T | undefined): boolean =>
	wanted === undefined || [wanted].flat().includes(value as T);

const isFrom = (from: ResponseRule['from'], response: ApiResponse): boolean =>
	from === undefined || (from === 'service') === (!response.isHtml && isFromService(response));

function isUnknown(what: ResponseRule['unknown'], response: ApiResponse): boolean {
	if (what === undefined) return true;
	if (what === 'endpoint') return response.isRouteMissing;
	return isRecordUnknown(response) && (what === 'record' || response.params.entityType === what);
}

export const ruleForResponse = (rules: ResponseRule[], facts: ResponseFacts): ResponseRule =>
	rules.find(({ from, isPage, status, code, says, unknown, when }) => {
		const { response } = facts;
		return (
			isFrom(from, response) &&
			(isPage === undefined || response.isHtml) &&
			(status === undefined || isStatus(response.status, ...[status].flat())) &&
			isOneOf(code, response.code) &&
			(says === undefined || says.test(response.message ?? '')) &&
			isUnknown(unknown, response) &&
			(when === undefined || when(facts))
		);
	})!;

/** The row for a connection error or an incomplete list. */
export const ruleForKind = <K extends string, F>(
	rules: Array<Rule<F> & { kind?: K | K[] }>,
	kind: K,
	facts: F,
): Rule<F> =>
	rules.find((rule) => isOneOf(rule.kind, kind) && (rule.when === undefined || rule.when(facts)))!;
