import type { Project } from '../transport/paging/projects';

/**
 * In which order a poll reads projects: those that the last one gave up come last, and first among them those that it
 * gave up last, which it may not even have asked for. So many that do not answer keep none from its turn.
 */
export class ProjectTurns {
	/** IDs, in the order in which they were given up */
	private givenUp: string[] = [];

	/** Sorts the projects of a poll. */
	inTurn(projects: Project[]): Project[] {
		const places = new Map(this.givenUp.map((id, index) => [id, this.givenUp.length - index]));
		const placeOf = ({ id }: Project) => places.get(id) ?? 0;
		return [...projects].sort((a, b) => placeOf(a) - placeOf(b));
	}

	/** Notes the projects that a poll gave up, in that order. */
	giveUp(ids: string[]): void {
		this.givenUp = ids;
	}
}
