/** A locator parameter as a workflow saves it. In its own file, for code that does not run in jest. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: value as string });

/** The same in the mode By URL. */
export const byUrl = (value: unknown) => ({ __rl: true, mode: 'url', value: value as string });

/** The same in the mode By External ID. */
export const byExternalId = (value: unknown) => ({
	__rl: true,
	mode: 'externalId',
	value: value as string,
});

/** The same in the mode By Name. */
export const byName = (value: unknown) => ({ __rl: true, mode: 'name', value: value as string });

export const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id);

/** Sorts records whose order does not matter, to compare them. */
export const sortedIds = (records: Array<{ id?: unknown }>) =>
	records.map(({ id }) => String(id)).sort();
