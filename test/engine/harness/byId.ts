/** A locator parameter as a workflow saves it. In its own file, for code that does not run in jest. */
const inMode = (mode: string) => (value: unknown) => ({ __rl: true, mode, value: value as string });

export const byId = inMode('id');
export const byUrl = inMode('url');
export const byExternalId = inMode('externalId');
export const byName = inMode('name');

export const ids = (records: Array<{ id?: unknown }>) => records.map(({ id }) => id);

/** Sorts records whose order does not matter, to compare them. */
export const sortedIds = (records: Array<{ id?: unknown }>) =>
	records.map(({ id }) => String(id)).sort();
