/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals, @n8n/community-nodes/no-dangerous-functions -- starts other programs beside n8n, never inside it */
import { type ChildProcess, spawn } from 'node:child_process';

import { atEnd } from './atEnd';

export interface CommandOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** Shows what the command prints while it runs; it is returned all the same */
	show?: boolean;
	/** Who runs it; default ourselves. Only root can name another. */
	user?: { uid: number; gid: number };
}

export interface CommandResult {
	status: number;
	stdout: string;
	stderr: string;
}

/** Processes that are still to be ended when this one ends. */
const running = new Set<ChildProcess>();

/** Ends a process together with those it has started. */
export function endTree(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void {
	if (child.pid === undefined) return;
	try {
		// A process started as "detached" leads a group of its own.
		process.kill(-child.pid, signal);
	} catch {
		child.kill(signal);
	}
}

/** Ends everything that was started and has not ended yet. */
export function endAll(signal: NodeJS.Signals): void {
	for (const child of running) endTree(child, signal);
}

atEnd(() => endAll('SIGKILL'));

/** Starts a program that ends with this process at the latest, with all it has started. */
export function start(
	program: string,
	args: string[],
	{ cwd, env, user }: CommandOptions = {},
): ChildProcess {
	const child = spawn(program, args, {
		cwd,
		env: env ?? process.env,
		detached: process.platform !== 'win32',
		stdio: ['ignore', 'pipe', 'pipe'],
		...user,
	});
	running.add(child);
	child.once('exit', () => running.delete(child));
	return child;
}

/** Runs a program to its end. Rejects only when it cannot be started. */
export async function command(
	program: string,
	args: string[],
	options: CommandOptions = {},
): Promise<CommandResult> {
	const child = start(program, args, options);
	let stdout = '';
	let stderr = '';
	child.stdout?.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		if (options.show) process.stderr.write(text);
	});
	child.stderr?.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
		if (options.show) process.stderr.write(text);
	});
	const status = await new Promise<number>((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
	});
	return { status, stdout, stderr };
}

/** Runs a program that has to succeed, and gives what it printed. */
export async function succeed(
	program: string,
	args: string[],
	options: CommandOptions = {},
): Promise<string> {
	const { status, stdout, stderr } = await command(program, args, options);
	if (status === 0) return stdout;
	const said = `${stdout}\n${stderr}`.trim().split('\n').slice(-30).join('\n');
	throw new Error(`${program} ${args.join(' ')} ended with ${status}:\n${said}`);
}
