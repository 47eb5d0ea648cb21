/* eslint-disable @n8n/community-nodes/no-restricted-imports -- waits for processes beside the bench, never inside n8n */
import { once } from 'node:events';

import type { Name } from './contestants';
import type { BulkKind } from './contestants/bulk';
import type { Task } from './contestants/contestant';
import { type Contest, roundsOf } from './contests';
import { type Program, startProgram } from './processes';
import type { Place, Places, Reset, Seen, Setup } from './service/messages';
import { smallestHeap } from './smallestHeap';
import { medianOf } from './statistics';
import type { Outcome, Turn } from './turn';

/** What came of one contestant in one contest. */
export interface Result {
	/** How often it was measured */
	rounds: number;
	/** Medians */
	ms: number;
	peakMb: number;
	/** Most connections open at once */
	connections: number;
	/** MB of the smallest JavaScript heap in which the work can be done; where memory is compared */
	heapMb?: number;
	/** Why there are no figures */
	missing?: string;
}

export type Results = Map<Name, Result>;

/** With this begins why there are no figures when something went wrong. */
export const FAILED = 'failed';

/** The stand-in service in a process of its own, kept as long as the next contest wants the same one. */
export class ServiceProcess {
	private running?: { key: string; program: Program; places: Places };

	async placesFor({ kind, size, steps, tls }: Contest): Promise<Places> {
		const setup: Setup = {
			tls,
			data: {
				projects: 1,
				steps,
				flows: kind === 'list' ? size : 1,
				// Not one for each item, as no project has thousands.
				foldersPerProject: 100,
				invitations: kind === 'delete' ? size : 0,
				templates: kind === 'deleteTemplate' ? size : 0,
			},
		};
		const key = JSON.stringify(setup);
		if (this.running?.key !== key) {
			await this.end();
			const program = startProgram('service/serve.ts', setup);
			this.running = { key, program, places: await program.receive<Places>() };
		}
		return this.running.places;
	}

	async reset(message: Reset): Promise<Seen> {
		if (this.running === undefined) throw new Error('No service runs');
		return await this.running.program.ask<Seen>(message);
	}

	async end(): Promise<void> {
		await this.running?.program.end();
		this.running = undefined;
	}
}

const IDS = {
	get: 'folderIds',
	update: 'folderIds',
	delete: 'invitationIds',
	deleteTemplate: 'templateIds',
} as const satisfies Record<BulkKind, keyof Place>;

function taskAt(place: Place, kind: Task['kind'], size: number): Task {
	const ids = kind === 'list' ? [] : place[IDS[kind]];
	return {
		kind,
		place: { ...place, folderIds: [], invitationIds: [], templateIds: [] },
		ids: kind === 'list' ? [] : Array.from({ length: size }, (_, index) => ids[index % ids.length]),
	};
}

/** Whose need of memory is measured; where nothing is said, that of all. */
const HEAPS: Partial<Record<Contest['about'], Name[]>> = { speed: [], load: ['theNode'] };

/** How many ids one warm-up of a bulk run may use in all. */
const WARM_UP_IDS: Record<Task['kind'], number> = {
	list: 0,
	get: 400,
	update: 400,
	delete: 4000,
	deleteTemplate: 4000,
};

/** @param heapMb what the process may use for JavaScript; default: what Node.js chooses */
async function takeTurn(service: ServiceProcess, contest: Contest, name: Name, heapMb?: number) {
	const { kind, size, delay } = contest;
	const places = await service.placesFor(contest);
	await service.reset({ delay });
	const turn: Turn = {
		name,
		warmUp: taskAt(places.warmUp, kind, WARM_UP_IDS[kind]),
		measured: taskAt(places.measured, kind, size),
	};
	const program = startProgram('turn.ts', {}, heapMb);
	try {
		await program.receive();
		await program.ask(turn);
		const outcome = await program.ask<Outcome>({ go: true });
		if (outcome.failure !== undefined) throw new Error(outcome.failure);
		if (outcome.records !== size) {
			throw new Error(`${name} gave ${outcome.records} records instead of ${size}`);
		}
		return { ...outcome, connections: (await service.reset({ delay })).connections };
	} finally {
		if (program.child.exitCode === null && program.child.connected) {
			await Promise.race([once(program.child, 'exit'), program.end()]);
		}
	}
}

/**
 * Measures the contestants in turns, A B C A B C, so that whatever else the machine does falls on all
 * alike; each turn in a process of its own.
 */
export async function compare(
	service: ServiceProcess,
	contest: Contest,
	mostRounds: number,
): Promise<Results> {
	const plans = new Map(contest.names.map((name) => [name, roundsOf(contest, name, mostRounds)]));
	const outcomes = new Map(
		contest.names.map((name) => [name, [] as Array<Outcome & { connections: number }>]),
	);
	const failures = new Map<Name, string>();
	for (let round = 0; round < mostRounds; round++) {
		for (const name of contest.names) {
			if (round >= (plans.get(name)?.rounds ?? 0) || failures.has(name)) continue;
			try {
				outcomes.get(name)?.push(await takeTurn(service, contest, name));
			} catch (error) {
				// What fails once is of no use to a person, however fast it is when it does not.
				failures.set(name, `${FAILED}: ${(error as Error).message}`);
			}
		}
	}
	const heaps = new Map<Name, number>();
	for (const name of HEAPS[contest.about] ?? contest.names) {
		if (failures.has(name)) continue;
		const works = async (heapMb: number) =>
			await takeTurn(service, contest, name, heapMb).then(
				() => true,
				() => false,
			);
		heaps.set(name, await smallestHeap(works));
	}
	return new Map(
		contest.names.map((name): [Name, Result] => {
			const turns = outcomes.get(name) ?? [];
			return [
				name,
				{
					rounds: turns.length,
					ms: medianOf(turns.map(({ ms }) => ms)),
					peakMb: medianOf(turns.map(({ peakMb }) => peakMb)),
					connections: Math.max(0, ...turns.map(({ connections }) => connections)),
					heapMb: heaps.get(name),
					missing: failures.get(name) ?? plans.get(name)?.reason,
				},
			];
		}),
	);
}
