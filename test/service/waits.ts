/* eslint-disable @n8n/community-nodes/no-restricted-globals -- delays are what this file is for; it runs beside the tests, never inside n8n */

/** A delay in ms from which there is no response */
const HANG_MS = 10_000;

/** Delays that end together: closing the service does not wait for slow responses. */
export class Waits {
	/** Called when a delay starts after which there is no response */
	onHang: () => void = () => {};
	/** Counts what hangs */
	hold: <T>(wait: Promise<T>) => Promise<T> = async (wait) => await wait;
	private readonly pending = new Map<ReturnType<typeof setTimeout>, (ended: boolean) => void>();

	/** Resolves after `ms` with true, or at once with false when all waits are ended. */
	async after(ms: number): Promise<boolean> {
		const wait = new Promise<boolean>((resolve) => {
			const timer = setTimeout(() => {
				this.pending.delete(timer);
				resolve(true);
			}, ms);
			this.pending.set(timer, resolve);
		});
		if (ms < HANG_MS) return await wait;
		this.onHang();
		return await this.hold(wait);
	}

	endAll(): void {
		for (const [timer, resolve] of this.pending) {
			clearTimeout(timer);
			resolve(false);
		}
		this.pending.clear();
	}
}
