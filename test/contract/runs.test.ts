import { call, start, stopAll } from '../service/client';
import type { Release } from '../service/index';
import recorded from './runs.json';
import { type Form, formOf } from './table';

afterEach(stopAll);

/** Fields that depend on the flow and its data. */
const OF_THE_FLOW = ['trigger', 'flowVersion_trigger', 'input', 'output', 'legs'];
const withoutFlow = (key: string, value: unknown) =>
	OF_THE_FLOW.includes(key) && value !== null ? {} : value;

interface Run {
	steps?: Record<string, unknown>;
	failedStep: { name: string };
}

function formOfRun(text: string, pick: (json: unknown) => Run): Form {
	const run = pick(JSON.parse(text, withoutFlow));
	if (run.steps) run.steps = { failed: run.steps[run.failedStep.name] };
	return formOf(run);
}

// The recorded ones are described in README.md.
test.each(Object.keys(recorded) as Array<keyof typeof recorded & Release>)(
	'a run that a worker of %s failed has the recorded fields, alone and in a list',
	async (release) => {
		const service = await start({ release });
		const flow = service.live.addFlow({ enabled: true });
		const { id, projectId } = service.live.addFlowRun({ flowId: flow.id, status: 'QUEUED' });
		service.live.flowRunLife(id).start().finish('FAILED').show();
		const { text: single } = await call(service, `/v1/flow-runs/${id}`);
		const { text: list } = await call(service, `/v1/flow-runs?projectId=${projectId}&limit=1`);
		expect({
			single: formOfRun(single, (run) => run as Run),
			listed: formOfRun(list, (page) => (page as { data: Run[] }).data[0]),
		}).toEqual(recorded[release]);
	},
);
