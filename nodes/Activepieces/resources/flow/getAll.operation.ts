import { filters, listFilter, queryFilter } from '../../descriptions/filters';
import { listing, pagingOptions, readPageSize, readWanted } from '../../descriptions/listing';
import { locatedId, locatorField } from '../../descriptions/locator';
import { readShape, shapeFields } from '../../descriptions/shape';
import { projectLocator } from '../../listSearch/projects';
import { readList } from '../../transport/lists';
import { createTally } from '../../transport/pages';
import type { ApiRequest, Endpoint } from '../../transport/request';
import type { Operation } from '../resource';
import { inProject, readFlowsOfAllProjects } from './projectFlows';
import { simplifyFlow } from './simplifyFlow';

const endpoint: Endpoint = { method: 'GET', path: '/v1/flows' };

/** The filters for lists of ids differ only in what the ids are of. */
const listed = (ids: string) =>
	`Comma-separated ${ids}; a flow with any of them is returned. Some releases take up to 20.`;

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many flows',
	description: 'Get the flows of a project, or of all projects',
	hint: 'Gives one item per flow. The nodes that follow run for each of them.',
	endpoint,
	fields: [
		locatorField(projectLocator),
		...listing,
		...shapeFields,
		filters([
			listFilter({
				displayName: 'Agent External IDs',
				name: 'agentExternalIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. support-agent, sales-agent',
				description: listed('external IDs of agents that the flow uses'),
			}),
			listFilter({
				displayName: 'Connection External IDs',
				name: 'connectionExternalIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. slack-main, gmail-team',
				description: listed('external IDs of connections that the flow uses'),
			}),
			listFilter({
				displayName: 'External IDs',
				name: 'externalIds',
				type: 'string',
				default: '',
				placeholder: 'e.g. invoice-sync, crm-import',
				description: listed('external IDs of the flows'),
			}),
			queryFilter({
				displayName: 'Folder ID',
				name: 'folderId',
				type: 'string',
				default: '',
				placeholder: 'e.g. Xk7wPq2mN9rT4vB8sL1cZ',
				description:
					'ID of the folder that the flows are in, which stands in folderId of every flow, or NULL for flows in no folder',
			}),
			queryFilter({
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. invoice',
				description: 'Part of the name, in any letter case. % and _ are wildcards.',
			}),
			listFilter({
				displayName: 'Status',
				name: 'status',
				type: 'multiOptions',
				options: [
					{ name: 'Disabled', value: 'DISABLED' },
					{ name: 'Enabled', value: 'ENABLED' },
				],
				default: [],
				description: 'Only flows with one of the chosen statuses',
			}),
			queryFilter({
				displayName: 'Version State',
				name: 'versionState',
				type: 'options',
				options: [
					{ name: 'Draft', value: 'DRAFT', description: 'The latest version of every flow' },
					{
						name: 'Locked',
						value: 'LOCKED',
						description: 'The published version of published flows',
					},
				],
				default: 'DRAFT',
				description: 'Which version of each flow to return',
				hint: 'On Activepieces 0.73, Locked works only together with Status Enabled',
			}),
		]),
		pagingOptions(),
	],
	async run(work) {
		const { context, session, query } = work;
		const wanted = readWanted(context);
		const pageSize = readPageSize(context);
		const shape = readShape(work, simplifyFlow);
		const projectId = locatedId(work, projectLocator);
		const request: ApiRequest = { ...endpoint, query, subject: { noun: 'flows' } };

		if (projectId === '' || projectId === undefined || projectId === null) {
			return shape.whole(
				await readFlowsOfAllProjects(session, request, pageSize, wanted, shape.keep),
			);
		}
		if (typeof projectId !== 'string' && typeof projectId !== 'number') {
			throw session.refusal(
				'Project is not an ID',
				'Choose the project from the list, enter its ID, or leave the field empty for all projects. Nothing was sent.',
			);
		}
		const tally = createTally(wanted, shape.keep);
		await readList(
			session,
			inProject(request, projectId, projectLocator.displayName),
			pageSize,
			tally,
		);
		return shape.whole(tally.records);
	},
};
