import { type Service } from '../../service';
import { rows, type Runs, setValues, type WorkflowJson } from './example';

const NAME = 'Copied';

/** Adds a flow with these connections to the first project, to be copied to the second. */
function prepareCopy(workflow: WorkflowJson, service: Service, connection?: string): void {
	const [from, to] = service.data.projects;
	const flow = service.live.addFlow({ projectId: from.id, name: NAME, enabled: true });
	const trigger = structuredClone(flow.version.trigger);
	delete trigger.nextAction;
	if (connection !== undefined) {
		const settings = trigger.settings as { input: Record<string, unknown> };
		settings.input = { ...settings.input, auth: `{{connections['${connection}']}}` };
	}
	flow.version = { ...flow.version, trigger };
	setValues(workflow, 'Settings', { flowId: flow.id, projectId: to.id });
}

function copyOf({ data }: Service) {
	const { id } = data.projects[1];
	return data.flows.find(
		({ projectId, version }) => projectId === id && version.displayName === NAME,
	);
}

export const runs: Runs = {
	/** A flow that uses no connection is copied, and the copy runs. */
	'copy-flow': {
		prepare(workflow, { service }) {
			prepareCopy(workflow, service);
		},
		verify(outcome, { service }) {
			service.settleFlowChanges();
			expect(copyOf(service)).toMatchObject({ status: 'ENABLED' });
			expect(rows(outcome, 'Publish Flow')).toMatchObject([{ id: copyOf(service)?.id }]);
			expect(outcome.executed).not.toContain('Connections Missing');
		},
	},
	/** A copy whose project lacks a connection is not published; the connection is named. */
	'copy-flow-without-connection': {
		prepare(workflow, { service }) {
			prepareCopy(workflow, service, 'only-in-the-first');
		},
		verify(outcome, { service }) {
			expect(copyOf(service)).toMatchObject({ status: 'DISABLED', publishedVersionId: null });
			const [missing] = rows(outcome, 'Connections Missing');
			expect(String(missing.missingConnections)).toContain('only-in-the-first');
			expect(outcome.executed).not.toContain('Publish Flow');
		},
	},
};
