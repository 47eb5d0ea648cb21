import type { IDataObject } from 'n8n-workflow';

import type { Service } from '../../service';
import type { CredentialJson } from '../support/headless';
import type { Outcome } from '../support/outcome';
import type { WorkflowJson } from '../support/workflow';
import type { Inbox } from './inbox';

export type { CredentialJson, Outcome, WorkflowJson };

export type WorkflowNode = WorkflowJson['nodes'][number];

/** The environment of n8n while an example runs. */
export interface ExampleContext {
	/** Stands in for Activepieces; the credential `activepieces-example` refers to it */
	service: Service;
	/** Stands in for a chat with an incoming webhook */
	inbox: Inbox;
	/** Stands in for OpenAI; `url` ends in /v1 */
	model: { url: string };
	/** A folder that n8n may write into (N8N_RESTRICT_FILE_ACCESS_TO of n8n 2) */
	folder: string;
}

/** One run of a workflow in `examples/` in a real n8n, and its expected result. */
export interface Example {
	/** Name of the workflow's file in `examples/` */
	file: string;
	/** Whether it needs features that Community lacks: templates, global connections */
	isForEnterprise?: true;
	/** Credentials of the workflow besides `activepieces-example` */
	credentials?(context: ExampleContext): CredentialJson[];
	/**
	 * Sets the values that the sticky note describes, and adds the records that the example needs to the
	 * stand-in.
	 */
	prepare?(workflow: WorkflowJson, context: ExampleContext): void;
	/** Compares the output with the records of the stand-in, with jest's `expect`. */
	verify(outcome: Outcome, context: ExampleContext): void | Promise<void>;
}

/** The runs of one file, by name. */
export type Runs = Record<string, Omit<Example, 'file'>>;

/** The credential of an example with an agent, for the model's stand-in. */
export const modelCredentials = ({ model }: ExampleContext): CredentialJson[] => [
	{
		id: 'openai-example',
		name: 'OpenAI account',
		type: 'openAiApi',
		data: { apiKey: 'no key is needed here', url: model.url },
	},
];

/** The node of a workflow with this name; throws when there is none. */
export function nodeOf({ name, nodes }: WorkflowJson, wanted: string): WorkflowNode {
	const node = nodes.find((each) => each.name === wanted);
	if (node === undefined) throw new Error(`${name} has no node ${wanted}`);
	return node;
}

/** Changes values of the example's Set node of that name, for example those of Settings. */
export function setValues(workflow: WorkflowJson, nodeName: string, values: IDataObject): void {
	const { assignments } = nodeOf(workflow, nodeName).parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	for (const [name, value] of Object.entries(values)) {
		const assignment = assignments.find((each) => each.name === name);
		if (assignment === undefined) throw new Error(`${nodeName} has no value ${name}`);
		assignment.value = value;
	}
}

/** The JSON of the items that a node returned. */
export const rows = (outcome: Outcome, node: string): IDataObject[] =>
	outcome.items(node).map(({ json }) => json);

/** The requests with which an example changed something; signing in changes nothing. */
export const changesOf = ({ requests }: Service) =>
	requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/sign-in'));
