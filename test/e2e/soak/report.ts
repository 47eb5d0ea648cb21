import { markdownTable } from '../../markdownTable';

/** The events that occurred, and the items that the trigger returned in one release of n8n. */
export interface Tally {
	release: string;
	event: string;
	/** Some of the records of the event */
	kind?: string;
	made: string[];
	given: string[];
}

/** Events that a restart of n8n may repeat, because a repeated message is better than a lost one. */
const LEVELS = ['connectionNeedsAttention', 'queueBacklog'];

/** Removes each of the second list once from the first. */
function without(values: string[], taken: string[]): string[] {
	const counts = new Map<string, number>();
	for (const value of taken) counts.set(value, (counts.get(value) ?? 0) + 1);
	return values.filter((value) => {
		const count = counts.get(value) ?? 0;
		counts.set(value, count - 1);
		return count <= 0;
	});
}

export const lost = ({ made, given }: Tally) => without(made, given);

/** Number of items for records to which nothing had happened. */
const invented = ({ made, given }: Tally) => given.filter((id) => !made.includes(id)).length;

const repeated = (tally: Tally) => without(tally.given, tally.made).length - invented(tally);

export function isRight(tally: Tally): boolean {
	const mayRepeat = LEVELS.includes(tally.event);
	return lost(tally).length === 0 && invented(tally) === 0 && (mayRepeat || repeated(tally) === 0);
}

export function reportOf(tallies: Tally[]): string {
	return markdownTable([
		['n8n', 'Event', 'Made', 'Given', 'Lost', 'Repeated', 'Invented', 'Right'],
		...tallies.map((tally) => [
			tally.release,
			tally.kind === undefined ? tally.event : `${tally.event} (${tally.kind})`,
			String(tally.made.length),
			String(tally.given.length),
			String(lost(tally).length),
			String(repeated(tally)),
			String(invented(tally)),
			isRight(tally) ? 'yes' : 'NO',
		]),
	]);
}
