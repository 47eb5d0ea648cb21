import fc from 'fast-check';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';
import { useLimits } from './useLimits';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

useLimits(() => {
	limits.delayScale = 0;
	limits.defaultPageSize = 3;
	limits.poll.maxAttempts = 1;
});

type Step =
	| { do: 'poll' | 'pollWhileDown' | 'restart' }
	| { do: 'pass'; ms: number }
	| { do: 'run'; duration: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.oneof(
		{ weight: 4, arbitrary: fc.constant<Step>({ do: 'poll' }) },
		{ weight: 1, arbitrary: fc.constant<Step>({ do: 'pollWhileDown' }) },
		{ weight: 1, arbitrary: fc.constant<Step>({ do: 'restart' }) },
		{
			weight: 6,
			arbitrary: fc
				.constantFrom(MINUTE, HOUR, DAY, 7 * DAY, 40 * DAY)
				.map<Step>((ms) => ({ do: 'pass', ms })),
		},
		{
			weight: 8,
			arbitrary: fc
				.constantFrom(1, MINUTE, HOUR, 3 * HOUR - 1, 3 * HOUR - MINUTE)
				.map<Step>((duration) => ({ do: 'run', duration })),
		},
	),
	{ minLength: 5, maxLength: 40, size: 'max' },
);

/** Runs that fail some time after their start, while time passes in large steps. */
function createRuns(service: FakeService) {
	const ends = new Map<string, number>();
	return {
		start(duration: number): void {
			const id = service.id('run');
			const projectId = service.projectOf(ends.size);
			const created = service.time;
			service.runs.push({ id, projectId, created, status: 'RUNNING', finishTime: null });
			ends.set(id, service.now + duration);
		},
		pass(ms: number): void {
			service.now += ms;
			for (const run of service.runs) {
				const end = ends.get(run.id) ?? 0;
				if (run.status !== 'RUNNING' || end > service.now) continue;
				Object.assign(run, { status: 'FAILED', finishTime: new Date(end).toISOString() });
			}
		},
		failed: () => service.runs.filter(({ status }) => status === 'FAILED').map(({ id }) => id),
	};
}

test.each([true, false])(
	'flowRunFailed: however long ago the last poll was, every run that failed since is given (dated: %s)',
	async (isDated) => {
		await fc.assert(
			fc.asyncProperty(steps, fc.constantFrom(1, 3, 1000), async (taken, max) => {
				const service = new FakeService();
				service.isDated = isDated;
				const runs = createRuns(service);
				// Watching begins with something to go by, also where no answer tells the time.
				runs.start(1);
				runs.pass(MINUTE);
				const n8n = new FakeN8n(service, {
					event: 'flowRunFailed',
					statuses: ['FAILED'],
					'options.lookbackHours': 3,
					'options.maxItems': max,
				});
				await n8n.activate('activate');
				const before = runs.failed();
				for (const step of taken) {
					if (step.do === 'pass') runs.pass(step.ms);
					else if (step.do === 'run') runs.start(step.duration);
					else if (step.do === 'restart') await n8n.restart();
					else {
						service.isDown = step.do === 'pollWhileDown';
						await n8n.poll();
						service.isDown = false;
					}
				}
				runs.pass(7 * DAY);
				for (let polls = 0; polls < 50; polls++) await n8n.poll();
				const expected = runs.failed().filter((id) => !before.includes(id));
				expect(n8n.given.map(({ id }) => id).sort()).toEqual(expected.sort());
				expect(n8n.errors.filter(({ message }) => !message.includes('too many requests'))).toEqual(
					[],
				);
			}),
			{ numRuns: 100 },
		);
	},
);
