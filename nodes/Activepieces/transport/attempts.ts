/** What the attempts of one request came to. */
export interface Attempts {
	count: number;
	/** Since the first one began */
	elapsedMs: number;
	/** After one of them at least it is not known whether the service did what it was asked */
	isAmbiguous: boolean;
}

/** ", after 5 tries in 12 seconds" for a message; nothing for a request that was sent once. */
export function formatAttempts({ count, elapsedMs }: Attempts): string {
	if (count < 2) return '';
	const seconds = Math.round(elapsedMs / 1000);
	const time =
		seconds < 1 ? 'less than a second' : seconds === 1 ? '1 second' : `${seconds} seconds`;
	return `, after ${count} tries in ${time}`;
}
