import type { RequestTarget } from '../descriptions/locator';
import { ActivepiecesError, type ErrorFacts, type UserMessage } from '../transport/errors/error';
import { adviceIfMissing } from '../transport/errors/words';
import { capitalize, shortName, textOf } from '../transport/values';

export const errorOf = (message: string, description: string, facts?: ErrorFacts) =>
	new ActivepiecesError({ message: capitalize(message), description }, facts);

/** The error for a change that a check has prevented. */
export const refusal = (message: string, description: string, facts?: ErrorFacts) =>
	errorOf(message, description, { ...facts, outcome: 'nothing', isRefusal: true });

/** The error for a change of which its text says what is known. */
export const outcomeError = (message: string, description: string, facts?: ErrorFacts) =>
	errorOf(message, description, { ...facts, outcome: 'said' });

/**
 * For a release before 0.79 that refuses every API key with what would otherwise read as a missing record, or as the
 * refusal of a proxy.
 */
export const KEY_REFUSED: UserMessage = {
	message: 'This Activepieces release does not accept an API key here',
	description: 'Update Activepieces, or use an Activepieces Sign-In API credential.',
};

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
