/** A time as the service wrote it, in milliseconds since 1970; 0 for none. */
export const toTime = (time: unknown): number =>
	typeof time === 'string' || typeof time === 'number'
		? Math.max(0, new Date(time).getTime() || 0)
		: 0;
