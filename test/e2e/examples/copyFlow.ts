import type { Service } from '../../service';
import { setValues, type WorkflowJson } from './example';

const NAME = 'Copied';

/** A flow of the first project that uses these connections, to be copied into the second one. */
export function prepareCopy(workflow: WorkflowJson, service: Service, connection?: string): void {
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

/** The copy in the second project. */
export function copyOf({ data }: Service) {
	const { id } = data.projects[1];
	return data.flows.find(
		({ projectId, version }) => projectId === id && version.displayName === NAME,
	);
}
