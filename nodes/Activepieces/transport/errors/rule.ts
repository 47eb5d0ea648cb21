import { isStatus, type StatusClass, type StatusName } from '../http/httpStatus';
import { type ApiResponse, isRecordUnknown, isServiceRefusal } from '../http/response';
import type { UserMessage } from './error';
import type { Words } from './words';

export type Condition<Facts> = (facts: Facts, words: Words) => boolean;

/** What a response, a missing response or an incomplete list means, and its text. */
export interface Rule<Facts> {
	conditions: Array<Condition<Facts>>;
	text: (words: Words, facts: Facts) => UserMessage;
}

export type ResponseRule = Rule<ApiResponse>;

/**
 * One rule: `message` says what happened, `description` what to change. Of a list of rules the first whose
 * conditions all hold counts.
 */
export const when = <Facts>(
	conditions: Array<Condition<NoInfer<Facts>>>,
	text: Rule<NoInfer<Facts>>['text'],
): Rule<Facts> => ({ conditions, text });

/* Conditions of rules for responses */

export const hasStatus =
	(...names: Array<StatusName | StatusClass>): Condition<ApiResponse> =>
	({ status }) =>
		isStatus(status, ...names);

export const hasCode =
	(...codes: string[]): Condition<ApiResponse> =>
	({ code }) =>
		code !== undefined && codes.includes(code);

export const says =
	(text: RegExp): Condition<ApiResponse> =>
	({ message = '' }) =>
		text.test(message);

export const isPage: Condition<ApiResponse> = ({ isHtml }) => isHtml;

export const isOfService: Condition<ApiResponse> = (response) =>
	!response.isHtml && isServiceRefusal(response);

export const isVersionMissing: Condition<ApiResponse> = (response) =>
	isRecordUnknown(response) && response.params.entityType === 'FlowVersion';
