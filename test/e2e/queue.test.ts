/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- watches n8n from beside it, and prints figures */
import { type Service, startService } from '../service';
import { startInbox } from './examples/inbox';
import { N8N_RELEASES } from './support/install';
import {
	type Answer,
	callWebhooks,
	type Job,
	makeJobs,
	publishWebhook,
	requestsByTarget,
	WORKFLOWS,
} from './support/jobs';
import { eventually, pause } from './support/longRunning';
import { describeWith } from './support/programs';
import { CONCURRENCY, type Execution, type Queue, startQueue, type Worker } from './support/queue';
import { createActivation, POLL_MS, receivedBy, triggerWorkflow } from './support/triggerEvents';
import { CREDENTIAL_TYPE } from './support/workflow';

/** Leaves room for a hundred jobs of each kind, three times. */
const NONE = { connections: 0, templates: 0 };
const DATA = {
	projects: 100,
	flows: 2500,
	foldersPerProject: 1,
	steps: 1,
	invitations: 600,
	...NONE,
};

/**
 * The newest release. `ACTIVEPIECES_E2E_QUEUE=all` adds the others, which take four minutes each and
 * were measured for `docs/queue-mode.md`.
 */
const RELEASES =
	process.env.ACTIVEPIECES_E2E_QUEUE === 'all' ? N8N_RELEASES : N8N_RELEASES.slice(0, 1);

/** How long the service delays a request of a worker that is about to die, which is shorter than its lock. */
const HELD_MS = 10_000;

const SETTINGS = {
	// These decide how soon a dead worker is noticed; the defaults are a minute and half a minute.
	QUEUE_WORKER_LOCK_DURATION: '15000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	// By default a job is removed when it ends. A job that ends before the main process listens for it, as
	// in a burst, then leaves its webhook without a response. 1.x does not have this setting.
	N8N_EXECUTIONS_QUEUE_KEEP_LAST_COMPLETED: '1000',
	N8N_EXECUTIONS_QUEUE_KEEP_LAST_FAILED: '1000',
	// Allows for a busy machine; the defaults are 2 and 20000.
	DB_POSTGRESDB_POOL_SIZE: '10',
	DB_POSTGRESDB_CONNECTION_TIMEOUT: '120000',
};

/** n8n 1.x sometimes sends no response to a call. */
const mayLeaveUnanswered = (n8n: string) => n8n.startsWith('1.');

/** n8n 1.x restarts the executions of a dead worker, 2.x does not. */
const startsAgain = (n8n: string) => n8n.startsWith('1.');

const hasEnded = ({ status }: Execution) => ['success', 'error', 'crashed'].includes(status);

const SETTLED_WITHIN_MS = 200_000;
/** A response follows at once after the end of an execution, or never. */
const ANSWERED_WITHIN_MS = 15_000;

async function until(
	what: string,
	condition: () => boolean | Promise<boolean>,
	state: () => unknown = () => '',
): Promise<void> {
	const deadline = Date.now() + SETTLED_WITHIN_MS;
	while (!(await condition())) {
		if (Date.now() > deadline) {
			throw new Error(`It did not come to pass that ${what}: ${JSON.stringify(state())}`);
		}
		await pause(100);
	}
}

const sorted = (ids: string[]) => [...ids].sort((a, b) => Number(a) - Number(b));

const countKinds = (jobs: Job[]) =>
	(['list', 'rename', 'delete'] as const)
		.map((kind) => `${jobs.filter((job) => job.kind === kind).length} ${kind}`)
		.join(', ');

describeWith(['redis', 'postgres'])('Queue mode', () => {
	describe.each(RELEASES)('n8n %s', (n8n) => {
		let service: Service;
		let queue: Queue;
		let first: Worker;
		let second: Worker;
		let credential: string;

		beforeAll(async () => {
			service = await startService({ data: DATA });
			queue = await startQueue(n8n, SETTINGS);
			[first, second] = await Promise.all([queue.startWorker(), queue.startWorker()]);
			({ id: credential } = await queue.rest.post<{ id: string }>('/rest/credentials', {
				name: 'Activepieces',
				type: CREDENTIAL_TYPE,
				data: { baseUrl: service.baseUrl, apiKey: service.apiKey },
			}));
			for (const [kind, { parameters, answer }] of Object.entries(WORKFLOWS)) {
				await publishWebhook(queue.main.url, queue.rest, kind, credential, parameters, answer);
			}
		});

		beforeEach(() => {
			service.clearFaults();
			service.clearRequests();
		});

		afterAll(async () => {
			await queue?.stop();
			await service?.close();
		});

		/** Calls the webhook of every job; `ends` has the responses once all executions have ended. */
		function send(jobs: Job[]) {
			const giveUp = new AbortController();
			const calls = jobs.map(({ kind, body }) => ({ path: kind, body }));
			const sent = queue.executions().then((before) => {
				const { answers, all } = callWebhooks(queue.main.url, calls, giveUp.signal);
				let broken = false;
				all.catch(() => (broken = true));
				return { before: before.length, answers, all, isBroken: () => broken };
			});
			return {
				async ends(): Promise<{ answers: Answer[]; executions: Execution[] }> {
					const { before, answers, all, isBroken } = await sent;
					let executions: Execution[] = [];
					await until(
						'all executions have ended',
						async () => {
							// Rejects then
							if (isBroken()) await all;
							executions = (await queue.executions()).slice(before);
							return executions.length >= jobs.length && executions.every(hasEnded);
						},
						() => [
							executions.length,
							executions.filter((each) => !hasEnded(each)),
							answers.filter(({ status }) => status !== 200),
						],
					);
					const tooLate = setTimeout(() => giveUp.abort(), ANSWERED_WITHIN_MS);
					await all;
					clearTimeout(tooLate);
					return { answers, executions };
				},
			};
		}

		/** The data of an execution that n8n sends to its editor. */
		const dataOf = async (id: string) =>
			(await queue.rest.get<{ data: string }>(`/rest/executions/${id}`)).data;

		function expectRight(jobs: Job[], answers: Answer[]) {
			jobs.forEach((job, index) => {
				const { status, items } = answers[index];
				if (status === 200) expect(new Set(items)).toEqual(new Set(job.items));
				// The execution has succeeded anyway.
				else expect({ status, may: mayLeaveUnanswered(n8n) }).toEqual({ status: 0, may: true });
			});
		}

		test('300 executions on two workers do their work, once each', async () => {
			const jobs = makeJobs(service, 100, 'Renamed');
			const began = Date.now();
			const { answers, executions } = await send(jobs).ends();
			const seconds = Math.round((Date.now() - began) / 1000);

			expect(executions).toHaveLength(300);
			expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
			expectRight(jobs, answers);

			expect(requestsByTarget(service)).toEqual(
				new Map(jobs.map(({ target, requests }) => [target, requests])),
			);
			const urls = service.requests.map(({ method, url }) => `${method} ${url}`);
			expect(new Set(urls).size).toBe(urls.length);
			expect(service.requests.filter(({ status }) => status >= 300)).toEqual([]);
			expect(jobs.filter((job) => !job.isDone())).toEqual([]);

			const shares = [first, second].map((worker) => worker.finished());
			expect(Math.min(...shares.map(({ length }) => length))).toBeGreaterThan(0);
			expect(sorted(shares.flat())).toEqual(sorted(executions.map(({ id }) => id)));
			const unanswered = answers.filter(({ status }) => status === 0).length;
			console.log(
				`n8n ${n8n}: 300 executions in ${seconds} s, ${shares.map(({ length }) => length).join(' and ')} on two workers; ${service.requests.length} requests; ${unanswered} calls unanswered`,
			);
		});

		test('one process polls for a trigger, and the workers run each of its events once', async () => {
			const inbox = await startInbox();
			try {
				const made = triggerWorkflow('joined', inbox, { event: 'userJoined' }, credential);
				const json = { ...made, id: undefined };
				const { id } = await queue.rest.post<{ id: string }>('/rest/workflows', json);
				const { activate, deactivate } = createActivation(n8n, queue.rest);
				const before = await queue.executions();
				await activate(id);

				service.clearRequests();
				const began = Date.now();
				const joined: string[] = [];
				for (let round = 0; round < 4; round++) {
					for (let user = 0; user < 3; user++) joined.push(service.live.addUser().id);
					await eventually(async () => {
						expect(receivedBy(inbox, 'joined').sort()).toEqual([...joined].sort());
					});
				}
				await pause(2 * POLL_MS);
				const polls = service.requests.filter(({ path }) => path === '/v1/users').length;
				const times = Math.ceil((Date.now() - began) / POLL_MS);
				await deactivate(id);

				expect(receivedBy(inbox, 'joined')).toHaveLength(joined.length);
				// Another process would poll at the same times.
				expect(polls).toBeGreaterThanOrEqual(4);
				expect(polls).toBeLessThanOrEqual(times + 1);
				const executions = (await queue.executions()).slice(before.length).map(({ id }) => id);
				const shares = [first, second].flatMap((worker) =>
					worker.finished().filter((each) => executions.includes(each)),
				);
				expect(sorted(shares)).toEqual(sorted(executions));
				expect(executions.length).toBeGreaterThanOrEqual(4);
			} finally {
				await inbox.close();
			}
		});

		test('a worker that dies loses only its current executions, and is replaced', async () => {
			service.fault({ kind: { delay: HELD_MS } });
			const jobs = makeJobs(service, 20, 'Renamed again');
			const early = send(jobs.slice(0, 30));
			await until('both workers are busy', () => service.inFlight.now === 2 * CONCURRENCY);
			await first.stop('SIGKILL');
			service.clearFaults();
			const lost = sorted(first.started().filter((id) => !first.finished().includes(id)));
			expect(lost).toHaveLength(CONCURRENCY);

			const added = await queue.startWorker();
			const before = await early.ends();
			const late = await send(jobs.slice(30)).ends();
			const answers = [...before.answers, ...late.answers];
			const executions = [...before.executions, ...late.executions];

			const failed = sorted(
				executions.filter(({ status }) => status !== 'success').map(({ id }) => id),
			);
			const startedAgain = [second, added]
				.flatMap((worker) => worker.started())
				.filter((id) => lost.includes(id));
			const seen = requestsByTarget(service);
			const twice = jobs.filter(({ target, requests }) => (seen.get(target) ?? 0) > requests);
			const failedJobs = jobs.filter((_job, index) => answers[index].status === 500);

			if (startsAgain(n8n)) {
				// Each is restarted from its first node, so actions that cannot be repeated fail.
				expect(sorted(startedAgain)).toEqual(lost);
				expect(lost).toEqual(expect.arrayContaining(failed));
				expect(twice.length).toBeLessThanOrEqual(lost.length);
				expect(failedJobs.filter(({ kind }) => kind !== 'delete')).toEqual([]);
			} else {
				expect(startedAgain).toEqual([]);
				expect(failed).toEqual(lost);
				expect(twice).toEqual([]);
				expect(failedJobs).toHaveLength(lost.length);
				for (const id of failed) {
					expect(await dataOf(id)).toContain(
						'This execution failed to be processed too many times',
					);
				}
			}
			// No job is reported as successful that was not done.
			const well = jobs.flatMap((job, index) =>
				answers[index].status === 500 ? [] : [{ job, answer: answers[index] }],
			);
			expectRight(
				well.map(({ job }) => job),
				well.map(({ answer }) => answer),
			);
			expect(well.filter(({ job }) => !job.isDone())).toEqual([]);
			// The queue continues.
			expect(late.executions.filter(({ status }) => status !== 'success')).toEqual([]);
			expect(added.finished().length).toBeGreaterThan(0);

			console.log(
				`n8n ${n8n}: a worker died with ${lost.length} of 60 executions in hand; ${executions.length - failed.length} succeeded, ${failed.length} did not (${countKinds(failedJobs)}), of which the service has done ${countKinds(failedJobs.filter((job) => job.isDone()))}; ${startedAgain.length} were started again; seen twice by the service: ${countKinds(twice)}; the new worker ran ${added.finished().length}`,
			);
		});

		test('a worker that is stopped completes its executions first', async () => {
			service.fault({ kind: { delay: HELD_MS / 2 } });
			const jobs = makeJobs(service, 10, 'Renamed in the end');
			const sent = send(jobs);
			await until('both workers are busy', () => service.inFlight.now === 2 * CONCURRENCY);
			const stopping = second.stop('SIGTERM');
			service.clearFaults();
			await stopping;
			const { answers, executions } = await sent.ends();

			expect(executions.filter(({ status }) => status !== 'success')).toEqual([]);
			expectRight(jobs, answers);
			expect(sorted(second.finished())).toEqual(sorted(second.started()));
			expect(requestsByTarget(service)).toEqual(
				new Map(jobs.map(({ target, requests }) => [target, requests])),
			);
		});
	});
});
