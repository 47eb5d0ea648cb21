import type { IDataObject } from 'n8n-workflow';

import type { Service, ServiceData } from '../../service';
import type { Outcome } from '../support/headless';
import type { WorkflowJson } from '../support/workflow';
import type { Inbox } from './inbox';

export type { WorkflowJson };

export type WorkflowNode = WorkflowJson['nodes'][number];

/** The environment of n8n while an example runs. */
export interface ExampleContext {
	/** Stands in for Activepieces */
	service: Service;
	/** Stands in for a chat with an incoming webhook, and for a password manager */
	inbox: Inbox;
	/** A folder that n8n may write into (N8N_RESTRICT_FILE_ACCESS_TO of n8n 2) */
	folder: string;
}

/** One run of a workflow in `examples/` in a real n8n, and its expected result. */
export interface Example {
	/** The example, if the run is not named like it */
	of?: string;
	/** Whether it needs features that Community lacks: templates, global connections */
	isForEnterprise?: true;
	/**
	 * Sets the values that the sticky note describes, and adds the records that the example needs to the
	 * stand-in.
	 */
	prepare?(workflow: WorkflowJson, context: ExampleContext): void;
	/** The message with which the example stops; without it, each run has to succeed. */
	stopsWith?(context: ExampleContext): string;
	/** Compares the output with the records of the stand-in, with jest's `expect`. */
	verify(outcome: Outcome, context: ExampleContext): void;
	/** For an example that may run again: compares what its second run has left with what was stored before it. */
	verifyAgain?(outcome: Outcome, context: ExampleContext, before: ServiceData): void;
}

/** @throws when the workflow has no node of this name */
export function nodeOf({ name, nodes }: WorkflowJson, wanted: string): WorkflowNode {
	const node = nodes.find((each) => each.name === wanted);
	if (node === undefined) throw new Error(`${name} has no node ${wanted}`);
	return node;
}

/** Changes values of the example's node Settings. */
export function setValues(workflow: WorkflowJson, values: IDataObject): void {
	const { assignments } = nodeOf(workflow, 'Settings').parameters.assignments as {
		assignments: Array<{ name: string; value: unknown }>;
	};
	for (const [name, value] of Object.entries(values)) {
		const assignment = assignments.find((each) => each.name === name);
		if (assignment === undefined) throw new Error(`Settings has no value ${name}`);
		assignment.value = value;
	}
}

/** Sets the folder of the example, and turns on its node that writes a file. */
export function saveTo(workflow: WorkflowJson, folder: string): void {
	setValues(workflow, { folder });
	nodeOf(workflow, 'Save to Disk').disabled = false;
}

/** The requests with which an example changed something; signing in changes nothing. */
export const changesOf = ({ requests }: Service) =>
	requests.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/sign-in'));
