import { check, type LiveContext, loadOptions, searchEntries } from './context';
import { expectOnce, Mismatch, type Outcome, plural } from './outcome';
import type { EditorList } from './pairs';
import { TEMPLATES_LACKING } from './reads';

const valueOf = ({ value }: { value: unknown }) => value;

/** Opens a list, scrolls once, and searches for its first entry. */
async function openList(context: LiveContext, method: string): Promise<string> {
	const first = await searchEntries(context, method);
	const { paginationToken } = first;
	const more = paginationToken ? await searchEntries(context, method, { paginationToken }) : first;
	const entries = more === first ? first.results : [...first.results, ...more.results];
	if (entries.length === 0) return 'no entries';
	expectOnce(entries.map(valueOf), 'entry');
	const [{ name, value }] = entries;
	const found = await searchEntries(context, method, { filter: name });
	if (!found.results.map(valueOf).includes(value)) {
		throw new Mismatch('Searching for the first entry did not find it');
	}
	return `${plural(entries.length, 'entry')}${more.paginationToken ? ' and more' : ''}`;
}

async function loadList(context: LiveContext, method: string): Promise<string> {
	const options = await loadOptions(context, method);
	expectOnce(options.map(valueOf), 'entry');
	return plural(options.length, 'entry');
}

/** Tries a list of the editor. */
export async function checkList(
	context: LiveContext,
	{ method, field, kind }: EditorList,
): Promise<Outcome> {
	const lacking = method === 'searchTemplates' ? TEMPLATES_LACKING : undefined;
	const find = kind === 'list' ? loadList : openList;
	return await check(
		context,
		`${field} → ${kind}`,
		async () => await find(context, method),
		lacking,
	);
}
