import { parse } from 'yaml';

import { read } from '../engine/harness/environment';
import { numberOf, titleOf, type Entry } from './har';

interface Row {
	name: string;
	isAbout: (entry: Entry, recording: string) => boolean;
}

type Group = { reason: string; request?: string; entries?: Record<string, string | null> };

const groups = parse(read('test/contract/harExceptions.yaml')) as Group[];

const ROWS = groups.flatMap(({ request, entries = {} }): Row[] => [
	...(request ? [{ name: request, isAbout: isSentAs(new RegExp(request)) }] : []),
	...Object.entries(entries).flatMap(([name, on]) =>
		(on ?? '').split(', ').map((recording) => ({ name, isAbout: isNamed(name, recording) })),
	),
]);

/** By method and path */
function isSentAs(request: RegExp): Row['isAbout'] {
	return ({ request: { method, url } }) => request.test(`${method} ${new URL(url).pathname}`);
}

/** By part and title, or by part and number if two entries of a part have the same title */
function isNamed(name: string, recording: string): Row['isAbout'] {
	return (entry, on) => {
		if (recording !== '' && recording !== on) return false;
		const title = `${entry.pageref}: ${titleOf(entry)}`;
		if (name.endsWith('…')) return title.startsWith(name.slice(0, -1));
		return [title, `${numberOf(entry)}: ${titleOf(entry)}`].includes(name);
	};
}

/** Whether an entry of a recording, such as `enterprise 0.85`, is not compared. */
export const isException = (entry: Entry, recording: string): boolean =>
	ROWS.some(({ isAbout }) => isAbout(entry, recording));

/** The rows that match no entry of these recordings. */
export const rowsWithout = (all: Array<[recording: string, entry: Entry]>): string[] =>
	ROWS.filter(({ isAbout }) => !all.some(([on, entry]) => isAbout(entry, on))).map(
		({ name }) => name,
	);
