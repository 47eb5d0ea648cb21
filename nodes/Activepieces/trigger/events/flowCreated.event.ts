import { simplifyFlow } from '../../resources/flow/simplify';
import { chosenProject, listInProjects } from './listInProjects';
import { FLOWS } from './flowEvent';
import { recordEvent } from './recordEvent';

export const flowCreated = recordEvent({
	name: 'Flow Created',
	value: 'flowCreated',
	description: 'When a flow has been created',
	fields: ['projectId', 'simplify', 'options.maxItems'],
	watched: ['projectId'],
	list: async (context, transform, limit) =>
		await listInProjects(context, chosenProject(context), {
			request: () => FLOWS,
			transform,
			limit,
		}),
	timeOf: ({ created }) => created,
	simplify: simplifyFlow,
	exampleLimit: 1,
	noExample: {
		message: 'There is no flow yet',
		description: 'Create a flow in Activepieces, or activate the workflow and create one then.',
	},
});
