import type { IDataObject } from 'n8n-workflow';

import { getOutputMode, outputFields } from '../../descriptions/output';
import { getOption } from '../../descriptions/parameters';
import { unconfirmed } from '../../execution/retryOnFail';
import type { ApiClient } from '../../transport/client';
import { ActivepiecesError } from '../../transport/error';
import { limits } from '../../transport/limits';
import { fetchList } from '../../transport/lists';
import { LIST_PROJECTS } from '../../transport/projects';
import { createRecordCollector } from '../../transport/pages';
import { requestRecord } from '../../transport/send';
import type { ApiRequest } from '../../transport/request';
import { nameAndId, shortName } from '../../transport/text';
import { textOf } from '../../transport/values';
import type { Operation } from '../operation';
import { outputRecord } from '../outputRecord';
import {
	externalIdField,
	metadataField,
	nameField,
	toExternalId,
	toMetadata,
	toProjectName,
} from './fields';
import { CREATE_PROJECT, simplifyProject } from './project';

const IF_EXISTS = ['error', 'use'] as const;

/**
 * Finds the project with an external ID. Community up to 0.79 lists its project whatever the filter
 * (recorded).
 */
async function fetchProjectByExternalId(
	client: ApiClient,
	externalId: string,
): Promise<IDataObject | undefined> {
	const collector = createRecordCollector(Infinity, (project) =>
		project.externalId === externalId ? project : undefined,
	);
	const request = { ...LIST_PROJECTS, query: { externalId } };
	await fetchList(client, request, limits.defaultPageSize, collector);
	return collector.records[0];
}

/** The message when no response to a create arrived, since another create would make a second project. */
const inDoubt = (displayName: string) =>
	unconfirmed(`the project "${shortName(displayName)}" was created`, {
		attempt: 'to create it failed without a clear result',
		check: 'the projects',
	});

export const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create project',
	description: 'Create a team project',
	hint: 'Not every plan or edition of Activepieces allows additional team projects',
	toolDescription:
		'Creates an Activepieces team project and returns it. Several projects can have the same name, but not the same external ID',
	endpoint: CREATE_PROJECT,
	properties: [
		{
			...nameField,
			required: true,
			description:
				'The name of the project, without dots or slashes. Several projects can have the same name.',
		},
		{
			...externalIdField,
			description:
				'An ID from your own system, such as a customer ID. No two projects can have the same external ID.',
		},
		{
			displayName: 'If External ID Exists',
			name: 'ifExists',
			type: 'options',
			options: [
				{
					name: 'Return an Error',
					value: 'error',
					description: 'Fails the item and changes nothing',
				},
				{
					name: 'Use Existing Project',
					value: 'use',
					description: 'Returns the existing project and changes nothing',
				},
			],
			default: 'error',
			description: 'What to do if a project already has that external ID',
		},
		metadataField,
		...outputFields,
	],
	simplify: simplifyProject,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyProject);
		const displayName = toProjectName(context.get('displayName', ''));
		const externalId = toExternalId(context.get('externalId', ''));
		const ifExists = getOption(context, 'If External ID Exists', 'ifExists', IF_EXISTS, 'error');
		const metadata = toMetadata(context.get('metadata', '{}'));
		const { tried } = context;
		const before = (tried.before ??= { displayName, externalId });
		// Only the external ID shows whether an earlier try created the project.
		const isLost = tried.isInDoubt && (externalId === '' || before.externalId !== externalId);
		if (isLost) throw inDoubt(textOf(before.displayName));
		// The service responds with 500 for an existing external ID (recorded).
		const existing =
			externalId === '' ? undefined : await fetchProjectByExternalId(client, externalId);
		if (existing !== undefined) {
			if (ifExists === 'use' || tried.isInDoubt)
				return await outputRecord(client, output, existing);
			const named = nameAndId(textOf(existing.displayName), textOf(existing.id));
			throw new ActivepiecesError({
				message: `The project ${named} already has this external ID`,
				description:
					'Change External ID, or set If External ID Exists to Use Existing Project. Nothing was changed.',
			});
		}
		const request: ApiRequest = {
			...CREATE_PROJECT,
			body: {
				displayName,
				...(externalId === '' ? {} : { externalId }),
				...(Object.keys(metadata).length === 0 ? {} : { metadata }),
			},
			subject: { noun: 'project' },
		};
		return await outputRecord(client, output, await requestRecord(client, request));
	},
};
