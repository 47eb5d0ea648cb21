/** The time of the first change. */
const FIRST_CHANGE = Date.parse('2026-12-01T08:00:00.000Z');

/** The time of a service: it stands still between changes, so that runs repeat. */
export class Clock {
	/** Milliseconds between two changes; 0 dates the following changes at the same time */
	step = 1000;
	/** Whether changes are dated by the clock of the machine */
	isReal = false;
	private time = FIRST_CHANGE;

	/** The time of the next change, as ISO-8601 text in UTC. */
	tick(): string {
		const at = new Date(this.isReal ? Date.now() : this.time).toISOString();
		this.time += this.step;
		return at;
	}

	/** The time now, in milliseconds since 1970. */
	get now(): number {
		return this.time;
	}

	set(time: string): void {
		this.time = Date.parse(time);
	}

	advance(milliseconds: number): void {
		this.time += milliseconds;
	}
}
