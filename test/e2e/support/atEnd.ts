/* eslint-disable @n8n/community-nodes/no-restricted-globals -- runs in Node beside n8n, never inside it */

declare global {
	var processOutsideJest: NodeJS.Process | undefined;
}

/** Does something when this process ends, in whichever way it can still notice. */
export function atEnd(clean: () => void): void {
	// What jest gives its tests as `process` is a copy that never hears of the end.
	(globalThis.processOutsideJest ?? process).on('exit', () => {
		try {
			clean();
		} catch {
			// Others have to clean up as well.
		}
	});
}
