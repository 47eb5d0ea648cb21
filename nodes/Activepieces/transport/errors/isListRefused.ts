import { ActivepiecesError, AuthenticationError } from './activepiecesError';

/** A plan without the feature, a role without the right, a project that is gone, a state that forbids it. */
const STATUSES = [402, 403, 404, 409];

/** Whether this one list cannot be read, while others of the same server can. */
export const isListRefused = (error: unknown): error is ActivepiecesError =>
	error instanceof ActivepiecesError &&
	!(error instanceof AuthenticationError) &&
	STATUSES.includes(error.httpStatus ?? 0);
