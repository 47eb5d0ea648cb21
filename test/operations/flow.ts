import type { ServiceData } from '../service';
import { CREATED, find, pages, renamed, type ResourceFacts } from './facts';
import { personalProjects } from './folder';

const enabled = ({ flows }: ServiceData) => flows.filter(({ status }) => status === 'ENABLED');

/** Flows whose running version is their latest. */
const unedited = (data: ServiceData) =>
	enabled(data).filter(({ publishedVersionId, version }) => publishedVersionId === version.id);

/** Flows whose running version has a newer draft. */
const edited = (data: ServiceData) =>
	enabled(data).filter(({ publishedVersionId, version }) => publishedVersionId !== version.id);

/** Flows that were never published, and so have no runs. */
const drafts = ({ flows }: ServiceData) =>
	flows.filter(({ publishedVersionId }) => publishedVersionId === null);

export const enabledFlow = (data: ServiceData) => unedited(data)[0];
export const editedFlow = (data: ServiceData) => edited(data)[0];
export const draftFlow = (data: ServiceData) => drafts(data)[0];

const IMPORTED = 'Imported';
const NAMED_PROJECTS = '`GET /v1/projects`';
const ALL_PROJECTS = `${NAMED_PROJECTS} for the projects’ names, and to list all projects`;

/** A file with the flow's own name. */
const fileOf = (displayName: string) =>
	JSON.stringify({
		displayName,
		trigger: { type: 'EMPTY', name: 'trigger', displayName: 'x', valid: false, settings: {} },
	});

export const flow: ResourceFacts = {
	records: ({ flows }) => flows,
	output: {
		title: 'Flow',
		events: 'Flow Created, Flow Published, Flow Status Changed',
		fields: {
			id: 'ID of the flow',
			name: 'Name of the version that is returned: the latest one, unless you ask for the published one',
			status: '`ENABLED` or `DISABLED`. An enabled flow runs its published version',
			published: 'Whether the flow has a published version',
			unpublishedChanges:
				'Whether the flow was edited after it was published. False for a flow that has never been published; null in a list with *Version State* Locked, which does not show it',
			projectId: 'ID of the flow’s project',
			pieces:
				'Names of the pieces that the trigger and the steps use, for example `@activepieces/piece-slack`',
			updated: 'Time of the last change of the flow',
			url: 'Link to the flow',
			runsOldVersion:
				'Only from *Import*, with and without Simplify: whether the flow is enabled and still runs the version that was published before the import',
			missingConnections:
				'Only from *Import*, with and without Simplify: the external IDs of the connections that the flow refers to and its project lacks. Null if the credential cannot list connections',
		},
	},
	operations: {
		getAll: {
			faults: [
				...pages({ isFull: true }),
				{
					name: 'list of projects',
					request: 'GET /v1/projects',
					isFull: true,
					parameters: () => ({ options: { pageSize: 5 } }),
				},
			],
			docs: { result: 'One item per flow', calls: ALL_PROJECTS },
		},
		get: {
			docs: {
				result: 'The flow with its latest or published version',
				calls: `${NAMED_PROJECTS} for the project’s name`,
			},
		},
		export: {
			expected: (id, { flows }) => ({ externalId: find(flows, id).externalId }),
			live: { schema: 'FlowFile' },
			docs: {
				result: 'The flow with all its steps, to save as a file or to import',
				output: {
					title: 'Exported flow',
					fields: {
						name: 'Name of the flow in the exported version',
						externalId:
							'ID by which other flows and Activepieces project releases refer to the flow',
						projectId: 'ID of the flow’s project',
						folderId: 'ID of its folder; null for none',
						status: '`ENABLED` or `DISABLED`',
						flow: '`displayName`, `trigger` with all steps, `schemaVersion` (the format of the release that wrote it) and `notes`',
					},
				},
			},
		},
		// Before the flow is disabled.
		run: {
			records: (data) => unedited(data).slice(0, 1),
			parameters: () => ({ input: '={{ $json }}' }),
			expected: (flowId) => ({ accepted: true, flowId }),
			isChanged: ({ webhooks }, id) => webhooks.runs.some(({ flowId }) => flowId === id),
			faults: [{ saysOfOthers: /in front of Activepieces responded instead of the flow/ }],
			load: { left: ({ webhooks }, items) => expect(webhooks.runs).toHaveLength(items) },
			live: { own: true },
			docs: {
				result: 'The response of the flow, or a confirmation that Activepieces accepted the call',
				calls:
					'`GET /v1/flows/{id}` first; `GET /v1/flags` for how long the server waits for a flow; `GET /v1/flow-runs` if the flow does not respond, for the status of its run. The path ends in `/draft` with *Draft*, and in `/sync` with *Wait for Response*',
				secondTime: '**Runs the flow again**',
				output: {
					title: 'Started flow',
					fields: {
						accepted:
							'Always true: Activepieces has accepted the call. This does not mean that a run exists yet',
						flowId: 'ID of the flow',
						requestId: 'ID that Activepieces gave the call. It is not the ID of a run',
					},
				},
			},
		},
		setStatus: {
			records: unedited,
			parameters: () => ({ status: 'DISABLED' }),
			expected: (id) => ({ id, status: 'DISABLED' }),
			isChanged: ({ data }, id) => find(data.flows, id).status === 'DISABLED',
			faults: [{ isFull: true, looksAfterwards: true }],
			load: { requests: 2 },
			docs: {
				result: 'The flow with its new status',
				calls:
					'`GET /v1/flows/{id}` before the change, and after it until the flow has the new status; `GET /v1/projects`',
				secondTime: 'Changes nothing if the flow is already in the state you want',
			},
		},
		publish: {
			records: edited,
			expected: (id) => ({ id, status: 'ENABLED' }),
			isChanged({ data }, id) {
				const { publishedVersionId, version } = find(data.flows, id);
				return publishedVersionId === version.id;
			},
			faults: [{ looksAfterwards: true }],
			load: { requests: 2 },
			docs: {
				result: 'The published and enabled flow',
				calls: 'As Enable or Disable; `GET /v1/app-connections` if the flow uses connections',
				secondTime:
					'Changes nothing if the flow was not edited since the first run; otherwise publishes these changes as well',
			},
		},
		create: {
			records: ({ projects }) => projects,
			parameters: () => ({ displayName: CREATED }),
			expected: (projectId) => ({ projectId, name: CREATED, published: false }),
			isChanged: ({ data }) => data.flows.some(({ version }) => version.displayName === CREATED),
			load: {
				records: personalProjects,
				left: ({ data }, items) =>
					expect(data.flows.filter(({ version }) => version.displayName === CREATED)).toHaveLength(
						items,
					),
			},
			live: { own: (displayName) => ({ displayName }) },
			docs: {
				result: 'The new flow, disabled and without a trigger',
				calls: '`GET /v1/folders/{id}` first, to check a folder; `GET /v1/projects`',
				secondTime: '**Creates another flow** of the same name',
			},
		},
		update: {
			records: drafts,
			parameters: (id) => ({ updateFields: { displayName: renamed(id) } }),
			expected: (id) => ({ id, name: renamed(id) }),
			isChanged: ({ data }, id) => find(data.flows, id).version.displayName === renamed(id),
			load: { requests: 2 },
			live: { own: (displayName) => ({ updateFields: { displayName } }) },
			docs: {
				result: 'The flow with its new name or folder',
				calls:
					'`GET /v1/flows/{id}` first, and `GET /v1/folders/{id}` to check a folder; `GET /v1/projects`',
				secondTime: 'Changes nothing if the flow already has the name and the folder',
			},
		},
		import: {
			records: ({ projects }) => projects,
			locator: 'projectId',
			parameters: (_, { flows }) => ({
				mode: 'create',
				content: JSON.stringify({ flow: { ...flows[0].version, displayName: IMPORTED } }),
			}),
			expected: (projectId) => ({
				projectId,
				name: IMPORTED,
				published: false,
				runsOldVersion: false,
			}),
			// A flow is created before the import names it.
			isChanged: ({ data }, _, before) => data.flows.length > before.flows.length,
			faults: [
				{ name: 'its new flow', request: 'POST /v1/flows' },
				{ isFull: true, looksAfterwards: true, readsBack: true },
				{ name: 'reading it back', request: 'GET /v1/flows/{id}' },
			],
			load: {
				records: ({ flows }) => flows,
				locator: 'flowId',
				parameters: (id) => ({ mode: 'replace', content: fileOf(renamed(id)) }),
				expected: (id) => ({ id, name: renamed(id) }),
				requests: 3,
				left({ data }) {
					for (const { id, version } of data.flows) expect(version.displayName).toBe(renamed(id));
				},
			},
			live: { own: true },
			docs: {
				result: 'The new flow, or the flow with its new draft. Nothing is published',
				calls:
					'`POST /v1/flows` first for a new flow, `GET /v1/flows/{id}` before and after; `DELETE /v1/flows/{id}` to remove a new flow that could not be imported; `GET /v1/app-connections` if the flow uses connections; `GET /v1/folders/{id}` to check a folder; `GET /v1/projects`',
				secondTime: {
					'New Flow': '**Creates another flow** of the same name',
					'Draft of an Existing Flow':
						'Changes nothing, because the draft already matches the file',
				},
			},
		},
		delete: {
			records: (data) => drafts(data).reverse(),
			faults: [{ isFull: true }],
			load: { records: ({ flows }) => flows, holds: { flows: 20_000 } },
			live: { own: true },
			docs: {
				result: '`{ "deleted": true }`. **All versions and runs of the flow are deleted with it**',
			},
		},
	},
};
