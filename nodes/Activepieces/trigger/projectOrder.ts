import type { Project } from '../transport/projects';

/**
 * The order in which a poll reads projects. Projects that the last poll gave up come last, starting with
 * those that it gave up last, which it may not even have requested. So even many projects that do not
 * respond cannot keep another one from its turn.
 */
export class ProjectOrder {
	/** IDs, in the order in which they were given up */
	private givenUp: string[] = [];

	sort(projects: Project[]): Project[] {
		const places = new Map(this.givenUp.map((id, index) => [id, this.givenUp.length - index]));
		const placeOf = ({ id }: Project) => places.get(id) ?? 0;
		return [...projects].sort((a, b) => placeOf(a) - placeOf(b));
	}

	/** Records the projects that a poll gave up, in that order. */
	giveUp(ids: string[]): void {
		this.givenUp = ids;
	}
}
