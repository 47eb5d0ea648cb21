import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { listSearch } from './listSearch';
import { resources } from './resources';
import { describeHints, describeResources } from './resources/resource';
import { testActivepiecesApi } from './transport/credentialTest';

export class Activepieces implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Activepieces',
		name: 'activepieces',
		icon: {
			light: 'file:../../icons/activepieces.svg',
			dark: 'file:../../icons/activepieces.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Watch queues and tidy flows, folders, connections, templates and invitations',
		defaults: { name: 'Activepieces' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'activepiecesApi', required: true, testedBy: 'testActivepiecesApi' }],
		// Makes the node declarative. The address is not among the defaults: as an expression it would be
		// evaluated twice for every input item, which is most of what a bulk delete costs. The session of
		// the item reads it as it stands (`transport/session.ts`).
		requestDefaults: { json: true },
		hints: describeHints(resources),
		properties: describeResources(resources),
	};

	methods = {
		listSearch,
		credentialTest: { testActivepiecesApi },
	};
}
