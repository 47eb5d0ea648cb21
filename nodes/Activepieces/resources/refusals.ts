import type { RequestTarget } from '../descriptions/locator';
import { ActivepiecesError, type ErrorFacts, type UserMessage } from '../transport/errors/error';
import { adviceIfMissing } from '../transport/errors/words';
import { capitalize, shortName } from '../transport/text';
import { textOf } from '../transport/values';

export const errorOf = (message: string, description: string, facts?: ErrorFacts) =>
	new ActivepiecesError({ message: capitalize(message), description }, facts);

/** The error for a change that a check has prevented. */
export const refusal = (message: string, description: string, facts?: ErrorFacts) =>
	errorOf(message, description, { ...facts, outcome: 'nothing', isRefusal: true });

/** The error for a change of which its text says what is known. */
export const outcomeError = (message: string, description: string, facts?: ErrorFacts) =>
	errorOf(message, description, { ...facts, outcome: 'said' });

/**
 * The message for a release that refuses every API key.
 *
 * @param what for example "tables cannot be used"
 */
export const keysRefused = (what: string, description: string): UserMessage => ({
	message: `In this Activepieces release, ${what} with an API key`,
	description,
});

/** @param which continues the sentence, for example " of a platform admin" */
export const signInInstead = (which: string): string =>
	`This requires Activepieces 0.79 or later. In this release, use an Activepieces Sign-In API credential${which}.`;

/** The error for a record that is in no list of the service. */
export const notFoundError = (
	{ id, subject: { noun, field } }: RequestTarget,
	facts?: ErrorFacts,
) =>
	errorOf(
		`${noun} "${shortName(textOf(id))}" was not found`,
		adviceIfMissing(noun, field ?? noun, id),
		{ isRecordUnknown: true, ...facts },
	);
