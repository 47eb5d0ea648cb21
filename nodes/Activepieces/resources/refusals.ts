import { ActivepiecesError } from '../transport/errors/error';
import { capitalize } from '../transport/text';

type Cause = ConstructorParameters<typeof ActivepiecesError>[1];

export const errorOf = (message: string, description: string, cause?: Cause) =>
	new ActivepiecesError({ message: capitalize(message), description }, cause);

/** The error for a change that a check has prevented. */
export const refusal = (message: string, description: string, cause?: Cause) =>
	errorOf(message, `${description} Nothing was changed.`, cause);

export const outcomeError = (message: string, description: string) =>
	errorOf(message, description, { saysOutcome: true });
