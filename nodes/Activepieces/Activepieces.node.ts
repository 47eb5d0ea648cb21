import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { makeCustomOperations, unknownOperation, withRecordsByName } from './customOperations';
import { describeHints, describeProperties, toolDescriptionFields } from './describe';
import { authenticationField } from './descriptions/credentialFields';
import { credentialTest } from './methods/credentialTest';
import { listSearch, loadOptions } from './methods/editorLists';
import { getTableColumns, loadTableColumns } from './methods/tableColumns';
import { resources as all } from './resources';

const resources = withRecordsByName(all);

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
		description:
			'Run and manage flows, manage runs, tables, projects, connections, folders, templates and invitations, and monitor queues and the audit log',
		defaults: { name: 'Activepieces' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
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
		// Makes the node declarative, which n8n gives its Request Options: `customOperations` run all operations, and
		// nothing of `routing` is ever sent. The address comes from the credential (`transport/client/httpClient.ts`).
		requestDefaults: { json: true },
		// Of a pair that the node does not have, n8n's router calls this instead of sending a request.
		requestOperations: { pagination: unknownOperation(resources) },
		hints: describeHints(resources),
		properties: [
			...toolDescriptionFields(resources),
			authenticationField,
			...describeProperties(resources),
		],
	};

	methods = {
		listSearch,
		loadOptions: { ...loadOptions, getTableColumns: loadTableColumns },
		resourceMapping: { getTableColumns },
		credentialTest,
	};

	// n8n calls these, for example `customOperations.folder.get`; `routing` says what each sends. Only where n8n has no
	// other way, its router calls them: see `execution/router.ts`.
	customOperations = makeCustomOperations(resources);
}
