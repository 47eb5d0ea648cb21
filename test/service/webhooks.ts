/** What happens when flows are called; a test may change it. */
export class Webhooks {
	/** For how long a call waits for the flow's answer; default of the service 30, recorded with 6 */
	timeoutSeconds = 30;
	/** How runs end, by the flow's id, unless they succeed */
	readonly ends = new Map<string, 'fails' | 'isSlow'>();
	/** Without a worker calls are taken and nothing runs */
	hasWorker = true;
	private readonly running = new Set<Promise<void>>();
	/** What came to flows that ran, in the order of arrival */
	readonly runs: Array<{ flowId: string; version: 'published' | 'draft'; body: unknown }> = [];

	/** Keeps what workers do with a run until they have done it. */
	follow(run: Promise<void>): void {
		this.running.add(run);
		void run.then(() => this.running.delete(run));
	}

	/** Resolves when no worker does anything any more. */
	async settled(): Promise<void> {
		await Promise.all(this.running);
	}
}
