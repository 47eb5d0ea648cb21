import type { IDataObject } from 'n8n-workflow';

import {
	filter,
	filtered,
	filtersField,
	getFilter,
	numberFilter,
} from '../../descriptions/filters';
import { getOptionalId, type Locator, locatorField } from '../../descriptions/locator';
import { getOutputMode, outputFields } from '../../descriptions/output';
import { getOption } from '../../descriptions/parameters';
import { getLimit, returnAllOrLimit } from '../../descriptions/returnAllOrLimit';
import type { OperationContext } from '../../execution/operationContext';
import { limits } from '../../transport/limits';
import { fetchList, pageFetcher } from '../../transport/paging/lists';
import type { FetchPage, Page } from '../../transport/paging/page';
import { inProject } from '../../transport/paging/projects';
import { createRecordCollector } from '../../transport/paging/recordCollector';
import type { ApiRequest } from '../../transport/request/request';
import type { Operation } from '../operation';
import { projectLocator } from '../project/locator';
import { invitationsRequest } from './requests';
import { simplifyInvitation } from './simplify';

const TYPES = ['all', 'PLATFORM', 'PROJECT'] as const;

const DAY_MS = 24 * 60 * 60 * 1000;

const invitationsProject: Locator = {
	...projectLocator,
	description: 'The team project to get the invitations from. Personal projects have none.',
	hint: 'Leave empty for the invitations to all projects',
};

const projectField = {
	...locatorField(invitationsProject),
	displayOptions: { show: { type: ['PROJECT'] } },
};

const statusFilter = filter(
	{
		displayName: 'Status',
		name: 'invitationStatus',
		type: 'options',
		options: [
			{ name: 'Accepted', value: 'ACCEPTED' },
			{ name: 'Pending', value: 'PENDING' },
		],
		default: 'PENDING',
		description: 'Return only invitations with this status',
	},
	'status',
);

const olderThanDays = numberFilter({
	displayName: 'Older Than (Days)',
	name: 'olderThanDays',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 14,
	description: 'Return only invitations created at least this many days ago',
});

/** The minimum age of the invitations in milliseconds; undefined for any age. */
function getMinimumAge(context: OperationContext): number | undefined {
	const days = getFilter(context, olderThanDays);
	return days === undefined ? undefined : days * DAY_MS;
}

/**
 * The server's time, which its invitations are dated by; n8n's clock may differ. If one of the clocks must be
 * wrong, the earlier one counts, so that nothing appears older than it is: old invitations are often deleted.
 */
function timeOf({ date }: Page): number {
	const now = Date.now();
	if (date === undefined) return now;
	return Math.abs(date - now) > limits.maxClockDifferenceMs ? Math.min(date, now) : date;
}

/** The requests for the lists that the item needs. */
function getRequests(context: OperationContext): ApiRequest[] {
	const type = getOption(context, 'Type', 'type', TYPES, 'all');
	const list = (of: string) => filtered(context, invitationsRequest(of), [statusFilter]);
	if (type === 'all') return [list('PLATFORM'), list('PROJECT')];
	const projectId = type === 'PROJECT' ? getOptionalId(context, invitationsProject) : undefined;
	if (projectId === undefined) return [list(type)];
	const request = inProject(list(type), { id: projectId });
	return [{ ...request, subject: { ...request.subject, field: invitationsProject.displayName } }];
}

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many user invitations',
	description: 'Get the invitations to the platform and to projects',
	hint: 'Returns one item per invitation, grouped by type, oldest first',
	toolDescription:
		'Returns the invitations to the Activepieces platform and to projects, grouped by type, oldest first',
	endpoint: invitationsRequest('PLATFORM'),
	properties: [
		{
			displayName: 'Type',
			name: 'type',
			type: 'options',
			options: [
				{
					name: 'All',
					value: 'all',
					description: 'Invitations to the platform and to all projects',
				},
				{ name: 'Platform', value: 'PLATFORM', description: 'Invitations to the platform' },
				{
					name: 'Project',
					value: 'PROJECT',
					description: 'Invitations to one project or to all projects',
				},
			],
			default: 'all',
			description: 'Which invitations to return',
		},
		projectField,
		...returnAllOrLimit,
		...outputFields,
		filtersField([olderThanDays, statusFilter]),
	],
	simplify: simplifyInvitation,
	async run(context) {
		const { client } = context;
		const output = getOutputMode(context, simplifyInvitation);
		const limit = getLimit(context);
		const minimumAge = getMinimumAge(context);
		const records: IDataObject[] = [];
		for (const request of getRequests(context)) {
			let now = Date.now();
			const fetchNext = pageFetcher(client, request);
			const fetchPage: FetchPage = async (page) => {
				const response = await fetchNext(page);
				now = timeOf(response);
				return response;
			};
			const isOld = ({ created }: IDataObject): boolean =>
				minimumAge === undefined ||
				(typeof created === 'string' && now - Date.parse(created) >= minimumAge);
			const collector = createRecordCollector(limit - records.length, (invitation) =>
				isOld(invitation) ? output.transform(invitation) : undefined,
			);
			collector.isFiltered = minimumAge !== undefined;
			await fetchList(client, request, limits.defaultPageSize, collector, fetchPage);
			for (const record of collector.records) records.push(record);
			if (records.length >= limit) break;
		}
		return output.finish(records);
	},
};
