import { SIGN_IN } from '../credential/signIn';
import type { ApiResponse } from '../response';
import { ADVICE } from './advice';
import type { ErrorContext } from './userMessage';

/** Whether a request was for a list of the node that has filters. */
export const hasFilters = ({ place, id, labels = {} }: ErrorContext): boolean =>
	place === 'node' && id === undefined && Object.keys(labels).length > 0;

/** What the person has entered of what is in a request, as they know it from where the message is read. */
export function inputOf(context: ErrorContext): string {
	const { place, method, path, field } = context;
	if (path === SIGN_IN.path) return 'Email and Password in the credential';
	// What is changed or created has more fields than the one that names it.
	const ownField = place === 'node' && method !== 'POST' ? field : undefined;
	const filters = hasFilters(context) ? 'the filters' : undefined;
	const names = [ownField, filters].filter((name) => name !== undefined);
	return names.length > 0 ? names.join(' and ') : ADVICE[place].input;
}

/** The advice to look at it, as sentences. */
export const checkInput = (context: ErrorContext, what = ''): string =>
	`Check ${inputOf(context)}${what}.${context.path === SIGN_IN.path ? '' : ADVICE[context.place].instead}`;

/** `querystring/status/0 must be …`, `body/displayName Invalid input: …`: the field's name. */
export const refusedField = ({ message }: ApiResponse): string | undefined =>
	/^(?:querystring|body|params)(?:\/| must have required property ')([\w-]+)/.exec(
		message ?? '',
	)?.[1];
