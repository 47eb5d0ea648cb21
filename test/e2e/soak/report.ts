import { markdownTable } from '../../markdownTable';

/** What happened, and what came out of the trigger in one release of n8n. */
export interface Tally {
	release: string;
	event: string;
	/** Some of the records of the event */
	kind?: string;
	made: string[];
	given: string[];
}

/** Those that a restart of n8n may repeat: one message twice rather than one lost. */
const LEVELS = ['connectionNeedsAttention', 'queueBacklog'];

/** What is left of the first when each of the second is taken away once. */
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

/** Given, though nothing had happened to that record. */
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
