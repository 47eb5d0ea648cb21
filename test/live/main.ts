/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a command for people, run with tsx; never inside n8n */
import type { ServerCheck } from './checkServer';
import { live } from './command';

/** An interrupted command deletes its folder before it ends. */
function onInterrupt({ cleanUp }: ServerCheck): void {
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		// The engine's own listener ends the process at once.
		process.removeAllListeners(signal);
		process.once(signal, () => {
			cleanUp()
				.catch((error: Error) => console.error(error.message))
				.finally(() => process.exit(130));
		});
	}
}

void live(process.argv.slice(2), process.env, onInterrupt).then((code) => {
	process.exitCode = code;
});
