/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions, no-console -- starts other programs beside n8n, never inside it */
import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

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

export interface CommandOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** User that runs it; by default the current one. Only root can choose another */
	user?: { uid: number; gid: number };
}

/** Processes that must end before this one. */
const running = new Set<ChildProcess>();

/** Ends a process and all processes that it has started. */
export function endTree(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void {
	if (child.pid === undefined) return;
	try {
		// A process started as "detached" leads a group of its own.
		process.kill(-child.pid, signal);
	} catch {
		child.kill(signal);
	}
}

export function endAll(signal: NodeJS.Signals): void {
	for (const child of running) endTree(child, signal);
}

atEnd(() => endAll('SIGKILL'));

/** Starts a program that ends with this process at the latest, including all processes that it starts. */
export function start(
	program: string,
	args: string[],
	{ cwd, env = process.env, user }: CommandOptions = {},
	stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
): ChildProcess {
	const detached = process.platform !== 'win32';
	const child = spawn(program, args, { cwd, env, detached, stdio, ...user });
	running.add(child);
	child.once('exit', () => running.delete(child));
	return child;
}

/** The output of a program so far, of both streams. */
export function logOf({ stdout, stderr }: ChildProcess): () => string {
	let log = '';
	for (const stream of [stdout, stderr]) {
		stream?.setEncoding('utf8').on('data', (text: string) => (log += text));
	}
	return () => log;
}

/** Waits for the end of a program, and returns its exit code. */
export async function statusOf(child: ChildProcess): Promise<number> {
	return await new Promise<number>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
	});
}

/** Runs a program to its end. Rejects only when it cannot be started. */
export async function command(program: string, args: string[], options: CommandOptions = {}) {
	// Writes to files, because `n8n execute` ends before a slow reader of a pipe has received everything.
	const folder = mkdtempSync(join(tmpdir(), 'activepieces-command-'));
	const paths = ['stdout', 'stderr'].map((name) => join(folder, name));
	const files = paths.map((path) => openSync(path, 'w'));
	try {
		const status = await statusOf(start(program, args, options, ['ignore', ...files]));
		const [stdout, stderr] = paths.map((path) => readFileSync(path, 'utf8'));
		return { status, stdout, stderr };
	} finally {
		files.forEach(closeSync);
		rmSync(folder, { recursive: true, force: true });
	}
}

/** The output of a program; throws when it has not succeeded. */
export function outputOf(result: Awaited<ReturnType<typeof command>>, what: string): string {
	const { status, stdout, stderr } = result;
	if (status === 0) return stdout;
	throw new Error(`${what} ended with ${status}:\n${stdout.slice(-4000)}\n${stderr.slice(-2000)}`);
}

/** Runs a program that has to succeed, and returns its output. */
export const succeed = async (program: string, args: string[], options: CommandOptions = {}) =>
	outputOf(await command(program, args, options), `${program} ${args.join(' ')}`);

/** Runs a command of its own. By default a signal is an exit like others: processes end, folders are removed. */
export function runCommand(
	main: () => Promise<number | void>,
	interrupt: () => void = () => process.exit(130),
): void {
	for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupt);
	main().then(
		(status) => process.exit(status ?? 0),
		(error: Error) => {
			console.error(error.message);
			process.exit(1);
		},
	);
}

/** Runs the npm that runs this process, because the one in PATH may be older or missing. */
export async function npm(args: string[], options: CommandOptions = {}): Promise<string> {
	const path = process.env.npm_execpath ?? '';
	return basename(path) === 'npm-cli.js'
		? await succeed(process.execPath, [path, ...args], options)
		: await succeed('npm', args, options);
}
