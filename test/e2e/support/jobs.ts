import type { INodeParameters } from 'n8n-workflow';

import { byId } from '../../engine/harness/byId';
import type { RecordedRequest, Service } from '../../service';

export type Kind = 'list' | 'rename' | 'delete';

/** A call of a webhook for a record of its own, so that its requests can be distinguished. */
export interface Job {
	kind: Kind;
	body: object;
	/** The response of the webhook after a success, in any order */
	items: object[];
	/** What its requests have in common, and how many there are when each is sent once */
	target: string;
	requests: number;
	/** Whether the service has done it; a list changes nothing */
	isDone(): boolean;
}

const PAGE = 10;

/** The node's parameters for each kind, and the fields of the response. */
export const WORKFLOWS: Record<
	Kind,
	{ parameters: INodeParameters; answer: Record<string, string> }
> = {
	list: {
		parameters: {
			resource: 'flow',
			operation: 'getAll',
			projectId: byId('={{ $json.body.project }}'),
			returnAll: true,
			// Without the request for the names of the projects, which each execution would send.
			simplify: false,
			options: { pageSize: PAGE },
		},
		answer: { flow: '={{ $json.id }}', project: "={{ $('Webhook').item.json.body.project }}" },
	},
	rename: {
		parameters: {
			resource: 'folder',
			operation: 'update',
			folderId: byId('={{ $json.body.folder }}'),
			displayName: '={{ $json.body.name }}',
			simplify: false,
		},
		answer: { id: '={{ $json.id }}', name: '={{ $json.displayName }}' },
	},
	delete: {
		parameters: {
			resource: 'userInvitation',
			operation: 'delete',
			invitationId: byId('={{ $json.body.invitation }}'),
		},
		answer: { deleted: '={{ $json.deleted }}' },
	},
};

/**
 * Makes jobs of the three kinds in turn; a service has room for as many of each kind as it has projects.
 *
 * @param name new name of the folders, without a number
 */
export function makeJobs(service: Service, ofEachKind: number, name: string): Job[] {
	const { data } = service;
	const invitations = data.invitations.filter(({ type }) => type === 'PLATFORM');
	return data.projects.slice(0, ofEachKind).flatMap(({ id: project }, index): Job[] => {
		const flows = data.flows.filter(({ projectId }) => projectId === project);
		const folder = data.folders[index];
		const newName = `${name} ${index}`;
		const invitation = invitations[index].id;
		return [
			{
				kind: 'list',
				body: { project },
				items: flows.map(({ id }) => ({ flow: id, project })),
				target: `GET /v1/flows of ${project}`,
				requests: Math.ceil(flows.length / PAGE),
				isDone: () => true,
			},
			{
				kind: 'rename',
				body: { folder: folder.id, name: newName },
				items: [{ id: folder.id, name: newName }],
				target: `POST /v1/folders/${folder.id}`,
				requests: 1,
				isDone: () => folder.displayName === newName,
			},
			{
				kind: 'delete',
				body: { invitation },
				items: [{ deleted: 'true' }],
				target: `DELETE /v1/user-invitations/${invitation}`,
				requests: 1,
				isDone: () => !data.invitations.some(({ id }) => id === invitation),
			},
		];
	});
}

const targetOf = ({ method, path, query }: RecordedRequest) =>
	`${method} ${path}${typeof query.projectId === 'string' ? ` of ${query.projectId}` : ''}`;

export function requestsByTarget({ requests }: Service): Map<string, number> {
	const counts = new Map<string, number>();
	for (const request of requests) {
		const target = targetOf(request);
		counts.set(target, (counts.get(target) ?? 0) + 1);
	}
	return counts;
}
