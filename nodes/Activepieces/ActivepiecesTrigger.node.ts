import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { authenticationField } from './descriptions/credentialFields';
import { credentialTest } from './methods/credentialTest';
import { listSearch } from './methods/editorLists';
import { loadTableColumns } from './methods/tableColumns';
import { events } from './trigger/events';
import { describeTrigger } from './trigger/fields';
import { poll } from './trigger/poll';

export class ActivepiecesTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Activepieces Trigger',
		name: 'activepiecesTrigger',
		icon: {
			light: 'file:../../icons/activepieces.svg',
			dark: 'file:../../icons/activepieces.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		// `flowRunFailed` as "flow run failed". Workflows save Audit Event as `platformEvent`.
		subtitle:
			'={{ $parameter["event"].replace("platform", "audit").replace(/[A-Z]/g, " $&").toLowerCase() }}',
		// n8n's node panel shows it for both nodes, which are one entry there.
		description:
			'Run and manage flows, manage runs, tables, projects and connections, read the audit log, and start workflows when runs fail or on other events',
		defaults: { name: 'Activepieces Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'activepiecesApi',
				required: true,
				testedBy: 'testActivepiecesApi',
				displayOptions: { show: { authentication: ['apiKey'] } },
			},
			{
				name: 'activepiecesSignInApi',
				required: true,
				testedBy: 'testActivepiecesSignInApi',
				displayOptions: { show: { authentication: ['signIn'] } },
			},
		],
		properties: [authenticationField, ...describeTrigger(events)],
	};

	methods = {
		listSearch,
		loadOptions: { getTableColumns: loadTableColumns },
		credentialTest,
	};

	poll = poll;
}
