import { readExamples } from '../support/exampleFiles';
import type { CredentialJson } from '../support/headless';
import { CREDENTIAL_TYPE, SIGN_IN_TYPE, type WorkflowJson } from '../support/workflow';
import { alerts } from './alerts';
import { deployment } from './deployment';
import type { Example, ExampleContext } from './example';
import { flows } from './flows';
import { people } from './people';
import { tables } from './tables';

export type * from './example';

/** The runs of all examples by name. An example may run twice, with other settings. */
export const examples: Record<string, Example> = {
	...alerts,
	...deployment,
	...flows,
	...people,
	...tables,
};

const workflows = readExamples();

/** The workflow of an example after a person has selected the credential and set the values. */
export function prepared(
	name: string,
	{ id, type }: CredentialJson,
	context: ExampleContext,
): WorkflowJson {
	const { of = name, prepare } = examples[name];
	const workflow = { ...structuredClone(workflows[of]), id: name };
	for (const node of workflow.nodes) {
		if (!node.credentials?.[CREDENTIAL_TYPE]) continue;
		node.credentials = { [type]: { id, name: id } };
		if (type === SIGN_IN_TYPE) node.parameters.authentication = 'signIn';
	}
	prepare?.(workflow, context);
	return workflow;
}
