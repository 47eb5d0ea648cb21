/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */

declare global {
	var processOutsideJest: NodeJS.Process | undefined;
}

/** Runs a function when this process ends in a way that it can notice. */
export function atEnd(clean: () => void): void {
	// jest's `process` is a copy that does not emit the exit.
	(globalThis.processOutsideJest ?? process).on('exit', () => {
		try {
			clean();
		} catch {
			// Others have to clean up as well.
		}
	});
}
