import { ActivepiecesError } from '../transport/error';
import { capitalize } from '../transport/text';

/** The error for a change that a check has prevented. */
export const refusal = (message: string, description: string): ActivepiecesError =>
	new ActivepiecesError({
		message: capitalize(message),
		description: `${description} Nothing was changed.`,
	});

export const outcomeError = (message: string, description: string): ActivepiecesError =>
	new ActivepiecesError({ message, description }, { saysOutcome: true });
