import type { IDataObject } from 'n8n-workflow';

import { ifExistsField } from '../../descriptions/fields';
import { metadataFields, readMetadata } from '../../descriptions/metadata';
import { getOption } from '../../descriptions/parameters';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/client/client';
import { requestRecord } from '../../transport/client/record';
import type { Endpoint } from '../../transport/client/request';
import { validationError } from '../../transport/errors/error';
import { hasStatus, when } from '../../transport/errors/rule';
import { findInList } from '../../transport/lists/pages';
import { LIST_PROJECTS } from '../../transport/lists/projects';
import { shortName } from '../../transport/text';
import { textOf } from '../../transport/values';
import { recordOperation } from '../recordOperation';
import { refusal, unconfirmed } from '../refusals';
import { projectLabel, simplifyProject } from './project';
import {
	projectExternalIdField,
	projectNameField,
	toExternalId,
	toProjectName,
} from './projectFields';

/** Community has it from 0.80 on, for one team project (recorded). */
const CREATE_PROJECT: Endpoint = {
	method: 'POST',
	path: '/v1/projects',
	feature: 'team projects',
	rules: [
		when([hasStatus('paymentRequired'), ({ isHtml }) => !isHtml], () => ({
			message: 'The Activepieces plan does not allow another team project',
			description:
				'The Community edition allows one team project. Use the existing project, or a plan that allows more.',
		})),
	],
};

const ifIdExists = ifExistsField(
	'If External ID Exists',
	'Project',
	'What to do if a project already has that external ID',
);

/**
 * Finds the project with an external ID. Community up to 0.79 lists its project whatever the filter
 * (recorded).
 */
const fetchProjectByExternalId = async (client: ApiClient, externalId: string) =>
	await findInList(
		client,
		{ ...LIST_PROJECTS, query: { externalId } },
		(each) => each.externalId === externalId,
	);

async function createProject(context: OperationContext): Promise<IDataObject> {
	const { client, tried } = context;
	const displayName = toProjectName(context.get('displayName', ''));
	const externalId = toExternalId(context.get('externalId', ''));
	const ifExists = getOption(context, ifIdExists);
	const metadata = readMetadata(context.get('metadata', '{}'));
	if (ifExists === 'use' && externalId === '') {
		throw validationError(
			'External ID is empty',
			'Use Existing Project finds a project by its external ID. Without one, each run would create another project. Change External ID, or set If External ID Exists to Return an Error.',
		);
	}
	const before = tried.keepBefore({ displayName, externalId });
	// Only the external ID shows whether an earlier try created the project.
	if (tried.isInDoubt && (externalId === '' || before.externalId !== externalId)) {
		throw unconfirmed(
			`the project "${shortName(textOf(before.displayName))}" was created`,
			'the projects',
		);
	}
	// The service responds with 500 for an existing external ID (recorded).
	const existing =
		externalId === '' ? undefined : await fetchProjectByExternalId(client, externalId);
	if (existing === undefined) {
		return await requestRecord(client, {
			endpoint: CREATE_PROJECT,
			body: {
				displayName,
				...(externalId === '' ? {} : { externalId }),
				...metadata,
			},
			subject: { noun: 'project' },
		});
	}
	if (ifExists === 'use' || tried.isInDoubt) return existing;
	throw refusal(
		`The project ${projectLabel(existing)} already has this external ID`,
		'Change External ID, or set If External ID Exists to Use Existing Project.',
	);
}

export const create = recordOperation({
	name: 'Create',
	value: 'create',
	description: 'Create a team project',
	hint: 'Without External ID, each run of this node creates another project',
	toolDescription:
		'Creates an Activepieces team project and returns it. Several projects can have the same name, but not the same external ID',
	endpoint: CREATE_PROJECT,
	properties: [
		{
			...projectNameField,
			required: true,
			description:
				'The name of the project, without dots or slashes. Several projects can have the same name.',
		},
		{
			...projectExternalIdField,
			description:
				'An ID from your own system, such as a customer ID. No two projects can have the same external ID.',
		},
		ifIdExists,
		...metadataFields('project'),
	],
	simplify: simplifyProject,
	record: createProject,
});
