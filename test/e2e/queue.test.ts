/* eslint-disable @n8n/community-nodes/no-restricted-globals, no-console -- watches n8n from beside it, and prints figures */
import { startService, type Service } from '../service';
import { startInbox } from './examples/inbox';
import { credentialJson } from './support/headless';
import { N8N_RELEASES } from './support/install';
import {
	callWebhooks,
	makeJobs,
	publishWebhooks,
	requestsOf,
	type Answer,
	type Job,
} from './support/jobs';
import { eventually, pause } from './support/longRunning';
import { describeWith } from './support/programs';
import { CONCURRENCY, startQueue, type Execution, type Queue, type Worker } from './support/queue';
import { addCredential, addWorkflow } from './support/rest';
import { useEnds } from './support/running';
import { createActivation, POLL_MS, receivedBy, triggerWorkflow } from './support/triggerEvents';

/** Leaves room for a hundred jobs of each kind, three times. */
const DATA = {
	projects: 100,
	flows: 2500,
	foldersPerProject: 1,
	steps: 1,
	invitations: 600,
	connections: 0,
	templates: 0,
};

/**
 * The newest release. `ACTIVEPIECES_E2E_QUEUE=all` adds the others, which take four minutes each and
 * were measured for `test/tools/bench/README.md`.
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

const hasEnded = ({ status }: Execution) => ['success', 'error', 'crashed'].includes(status);
const hasFailed = ({ status }: Execution) => status !== 'success';

const SETTLED_WITHIN_MS = 200_000;
/** A response follows at once after the end of an execution, or never. */
const ANSWERED_WITHIN_MS = 15_000;

/** Sorted IDs of executions. */
const sorted = (ids: string[]) => [...ids].sort((a, b) => Number(a) - Number(b));
const idsOf = (executions: Execution[]) => sorted(executions.map(({ id }) => id));

describeWith(['redis', 'postgres'])('Queue mode', () => {
	describe.each(RELEASES)('n8n %s', (n8n) => {
		/** n8n 1.x restarts the executions of a dead worker, and sometimes sends no response to a call. */
		const isFirst = n8n.startsWith('1.');
		const ends = useEnds();
		let service: Service;
		let queue: Queue;
		let first: Worker;
		let second: Worker;
		let credential: string;

		beforeAll(async () => {
			service = await ends(startService({ data: DATA }));
			queue = await startQueue(n8n, ends, SETTINGS);
			[first, second] = await Promise.all([queue.startWorker(), queue.startWorker()]);
			credential = await addCredential(queue.rest, credentialJson('Activepieces', service));
			await publishWebhooks(queue.main.url, queue.rest, credential);
		});

		beforeEach(() => {
			service.clearFaults();
			service.clearRequests();
		});

		/** Calls the webhook of every job, and waits until all executions have ended. */
		async function run(jobs: Job[]) {
			const before = (await queue.executions()).length;
			const giveUp = new AbortController();
			const answering = callWebhooks(queue.main.url, jobs, giveUp.signal);
			const ending = eventually(async () => {
				const executions = (await queue.executions()).slice(before);
				expect(executions.length).toBeGreaterThanOrEqual(jobs.length);
				expect(executions.filter((each) => !hasEnded(each))).toEqual([]);
				return executions;
			}, SETTLED_WITHIN_MS);
			// A call that fails ends the test at once.
			const executions = await Promise.race([ending, answering.then(async () => await ending)]);
			const tooLate = setTimeout(() => giveUp.abort(), ANSWERED_WITHIN_MS);
			const answers = await answering;
			clearTimeout(tooLate);
			return { answers, executions };
		}

		function expectRight(jobs: Job[], answers: Answer[]) {
			jobs.forEach((job, index) => {
				const { status, items } = answers[index];
				if (status === 200) expect(new Set(items)).toEqual(new Set(job.items));
				// The execution has succeeded anyway.
				else expect({ status, isFirst }).toEqual({ status: 0, isFirst: true });
			});
		}

		const expectOnce = (jobs: Job[]) => {
			expect(jobs.filter((job) => requestsOf(service, job) !== job.requests)).toEqual([]);
			const count = jobs.reduce((sum, { requests }) => sum + requests, 0);
			expect(service.requests).toHaveLength(count);
		};

		const bothAreBusy = async () =>
			await eventually(() => expect(service.inFlight.now).toBe(2 * CONCURRENCY));

		test('300 executions on two workers do their work, once each', async () => {
			const jobs = makeJobs(service, 100, 'Renamed');
			const { answers, executions } = await run(jobs);

			expect(executions).toHaveLength(300);
			expect(executions.filter(hasFailed)).toEqual([]);
			expectRight(jobs, answers);
			expectOnce(jobs);
			expect(service.requests.filter(({ status }) => status >= 300)).toEqual([]);
			expect(jobs.filter((job) => !job.isDone())).toEqual([]);

			const shares = [first, second].map((worker) => worker.finished());
			expect(Math.min(...shares.map(({ length }) => length))).toBeGreaterThan(0);
			expect(sorted(shares.flat())).toEqual(idsOf(executions));
		});

		test('one process polls for a trigger, and the workers run each of its events once', async () => {
			const inbox = await ends(startInbox());
			const json = triggerWorkflow('joined', inbox, { event: 'userJoined' }, credential);
			const { id } = await addWorkflow(queue.rest, json);
			const { activate, deactivate } = createActivation({ release: n8n, rest: queue.rest });
			const before = (await queue.executions()).length;
			await activate(id);

			service.clearRequests();
			const began = Date.now();
			const joined: string[] = [];
			for (let round = 0; round < 4; round++) {
				for (let user = 0; user < 3; user++) joined.push(service.live.addUser().id);
				await eventually(() =>
					expect(receivedBy(inbox, 'joined').sort()).toEqual([...joined].sort()),
				);
			}
			await pause(2 * POLL_MS);
			const polls = service.requests.filter(({ path }) => path === '/v1/users').length;
			const times = Math.ceil((Date.now() - began) / POLL_MS);
			await deactivate(id);

			expect(receivedBy(inbox, 'joined')).toHaveLength(joined.length);
			// Another process would poll at the same times.
			expect(polls).toBeGreaterThanOrEqual(4);
			expect(polls).toBeLessThanOrEqual(times + 1);
			const executions = idsOf((await queue.executions()).slice(before));
			const finished = [...first.finished(), ...second.finished()];
			expect(sorted(finished.filter((each) => executions.includes(each)))).toEqual(executions);
			expect(executions.length).toBeGreaterThanOrEqual(4);
		});

		test('a worker that dies loses only its current executions, and is replaced', async () => {
			service.fault({ kind: { delay: HELD_MS } });
			const jobs = makeJobs(service, 20, 'Renamed again');
			const early = run(jobs.slice(0, 30));
			await bothAreBusy();
			await first.stop('SIGKILL');
			service.clearFaults();
			const lost = sorted(first.started().filter((id) => !first.finished().includes(id)));
			expect(lost).toHaveLength(CONCURRENCY);

			const added = await queue.startWorker();
			const before = await early;
			const late = await run(jobs.slice(30));
			const answers = [...before.answers, ...late.answers];
			const executions = [...before.executions, ...late.executions];

			const failed = idsOf(executions.filter(hasFailed));
			const startedAgain = [...second.started(), ...added.started()].filter((id) =>
				lost.includes(id),
			);
			const twice = jobs.filter((job) => requestsOf(service, job) > job.requests);
			const failedJobs = jobs.filter((_, index) => answers[index].status === 500);

			if (isFirst) {
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
					const { data } = await queue.rest.get<{ data: string }>(`/rest/executions/${id}`);
					expect(data).toContain('This execution failed to be processed too many times');
				}
			}
			// No job is reported as successful that was not done.
			const well = jobs.filter((job) => !failedJobs.includes(job));
			expectRight(
				well,
				answers.filter(({ status }) => status !== 500),
			);
			expect(well.filter((job) => !job.isDone())).toEqual([]);
			// The queue continues.
			expect(late.executions.filter(hasFailed)).toEqual([]);
			expect(added.finished().length).toBeGreaterThan(0);

			console.log(
				`n8n ${n8n}: a worker died with ${lost.length} of 60 executions: ${failed.length} failed, ${startedAgain.length} were started again, ${twice.length} were received twice`,
			);
		});

		test('a worker that is stopped completes its executions first', async () => {
			service.fault({ kind: { delay: HELD_MS / 2 } });
			const jobs = makeJobs(service, 10, 'Renamed in the end');
			const running = run(jobs);
			await bothAreBusy();
			const stopping = second.stop('SIGTERM');
			service.clearFaults();
			await stopping;
			const { answers, executions } = await running;

			expect(executions.filter(hasFailed)).toEqual([]);
			expectRight(jobs, answers);
			expect(sorted(second.finished())).toEqual(sorted(second.started()));
			expectOnce(jobs);
		});
	});
});
