/* eslint-disable @n8n/community-nodes/no-restricted-globals -- delays are what this file is for; it runs beside the tests, never inside n8n */

/** Delays that end together: closing the service must not wait for a slow answer. */
export class Waits {
	private readonly pending = new Map<ReturnType<typeof setTimeout>, (ended: boolean) => void>();

	/** Resolves after `ms` with true, or at once with false when all waits are ended. */
	async after(ms: number): Promise<boolean> {
		return await new Promise((resolve) => {
			const timer = setTimeout(() => {
				this.pending.delete(timer);
				resolve(true);
			}, ms);
			this.pending.set(timer, resolve);
		});
	}

	endAll(): void {
		for (const [timer, resolve] of this.pending) {
			clearTimeout(timer);
			resolve(false);
		}
		this.pending.clear();
	}
}
