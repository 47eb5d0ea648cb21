/** Runs flows that are called, with settings that a test may change. */
export class Webhooks {
	/** How long a call waits for the flow's response; the service's default is 30, the recordings used 6 */
	timeoutSeconds = 30;
	/** How runs end, by the flow's ID; by default they succeed */
	readonly ends = new Map<string, 'fails' | 'isSlow'>();
	/** Without a worker calls are accepted and nothing runs */
	hasWorker = true;
	private readonly running = new Set<Promise<void>>();
	/** Inputs of flows that ran, in the order of arrival */
	readonly runs: Array<{ flowId: string; version: 'published' | 'draft'; body: unknown }> = [];

	/** Adds work of workers until it is done. */
	follow(run: Promise<void>): void {
		this.running.add(run);
		void run.then(() => this.running.delete(run));
	}

	/** Resolves when no worker has anything to do any more. */
	async settled(): Promise<void> {
		await Promise.all(this.running);
	}
}
