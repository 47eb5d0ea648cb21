import type { Endpoint } from '../endpoint';
import { type Attempts, formatAttempts } from '../attempts';
import type { UserMessage } from './userMessage';

/**
 * Adds to a message what the person cannot know: how often the request was sent, and that a change may
 * have been made although nobody confirmed it.
 */
export function withAttempts(
	{ message, description }: UserMessage,
	method: Endpoint['method'],
	attempts: Attempts | undefined,
): UserMessage {
	if (attempts === undefined) return { message, description };
	const warning =
		attempts.isAmbiguous && method !== 'GET'
			? ' Activepieces may have done it all the same: look before you run the node again.'
			: '';
	return {
		message: message + formatAttempts(attempts),
		description: description + warning,
	};
}
