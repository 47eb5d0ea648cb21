import type { Occurrence } from './event';

/** The order in which occurrences are given. */
export const byTimeAndId = (
	a: Pick<Occurrence, 'id' | 'time'>,
	b: Pick<Occurrence, 'id' | 'time'>,
): number => a.time - b.time || (a.id < b.id ? -1 : Number(a.id > b.id));

export interface OldestOutputs {
	/** @param project where the occurrence was found; nothing when one list is read for all of them */
	add(occurrence: Occurrence, project?: string): void;
	/** From now on the occurrences of this project compete with those of the other projects. */
	projectIsRead(project: string): void;
}

/**
 * Drops the outputs of occurrences that this poll cannot give, because enough older ones were found: a raw
 * flow run may have 70 kB, and days without n8n leave tens of thousands. Until a project is read to its end,
 * its occurrences push out only each other: they count for nothing if the project cannot be read.
 *
 * @param maxItems how many of all a poll gives; at most twice as many outputs are kept of a project that is
 * being read, and of all that were
 */
export function createOldestOutputs(maxItems: number): OldestOutputs {
	const ofProjects = new Map<string | undefined, Occurrence[]>();
	let ofReadProjects: Occurrence[] = [];

	function oldest(occurrences: Occurrence[]): Occurrence[] {
		if (occurrences.length < 2 * maxItems) return occurrences;
		occurrences.sort(byTimeAndId);
		for (const each of occurrences.splice(maxItems)) each.json = undefined;
		return occurrences;
	}

	return {
		add(occurrence, project) {
			const known = ofProjects.get(project) ?? [];
			known.push(occurrence);
			ofProjects.set(project, oldest(known));
		},
		projectIsRead(project) {
			const found = ofProjects.get(project) ?? [];
			ofProjects.delete(project);
			ofReadProjects = oldest([...ofReadProjects, ...found]);
		},
	};
}
