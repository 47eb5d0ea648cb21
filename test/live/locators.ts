import { check, type LiveContext, loadOptions, searchEntries } from './context';
import { type Finding, Mismatch, type Outcome, plural } from './outcome';
import { TEMPLATES_LACKING } from './reads';

/** Opens a list, scrolls once, and searches for its first entry. */
async function openList(context: LiveContext, method: string): Promise<Finding> {
	const { results, paginationToken } = await searchEntries(context, method);
	if (results.length === 0) return { result: 'works', details: 'no entries' };
	const more =
		paginationToken === undefined
			? undefined
			: await searchEntries(context, method, { paginationToken: String(paginationToken) });
	const entries = [...results, ...(more?.results ?? [])];
	if (new Set(entries.map(({ value }) => value)).size < entries.length) {
		throw new Mismatch('The same entry came twice');
	}
	const [{ name, value }] = results;
	const found = await searchEntries(context, method, { filter: name });
	if (!found.results.some((entry) => entry.value === value)) {
		throw new Mismatch('Searching for the first entry did not find it');
	}
	const isLonger = (more ?? { paginationToken }).paginationToken !== undefined;
	return {
		result: 'works',
		details: `${plural(entries.length, 'entry')}${isLonger ? ' and more' : ''}`,
	};
}

/** Tries the list of a field that takes several records. */
export async function checkOptionList(
	context: LiveContext,
	{ method, field }: { method: string; field: string },
): Promise<Outcome> {
	return await check(context, `${field} → list`, async () => {
		const options = await loadOptions(context, method);
		if (new Set(options.map(({ value }) => value)).size < options.length) {
			throw new Mismatch('The same entry came twice');
		}
		return { result: 'works', details: plural(options.length, 'entry') };
	});
}

/** Tries From List of a field. */
export async function checkLocator(
	context: LiveContext,
	{ method, field }: { method: string; field: string },
): Promise<Outcome> {
	const lacking = method === 'searchTemplates' ? TEMPLATES_LACKING : undefined;
	const find = async () => await openList(context, method);
	return await check(context, `${field} → From List`, find, lacking);
}
