import type { ServiceData } from '../service';
import { versionsOf } from '../service/flowChanges';
import { CREATED, find, ofAllProjects, pages, renamed, type ResourceFacts } from './facts';
import { personalProjects } from './folder';

const enabled = ({ flows }: ServiceData) => flows.filter(({ status }) => status === 'ENABLED');

/** Flows whose running version is their latest. */
const unedited = (data: ServiceData) =>
	enabled(data).filter(({ publishedVersionId, version }) => publishedVersionId === version.id);

/** Flows that start with Catch Webhook; others are called without their input. */
const takesInput = ({ version }: ServiceData['flows'][number]) =>
	JSON.stringify(version.trigger).includes('piece-webhook');

/** Flows whose running version has a newer draft. */
const edited = (data: ServiceData) =>
	enabled(data).filter(({ publishedVersionId, version }) => publishedVersionId !== version.id);

/** Flows that were never published, and so have no runs. */
const drafts = ({ flows }: ServiceData) =>
	flows.filter(({ publishedVersionId }) => publishedVersionId === null);

export const enabledFlow = (data: ServiceData) => unedited(data)[0];
export const editedFlow = (data: ServiceData) => edited(data)[0];
export const draftFlow = (data: ServiceData) => drafts(data)[0];

const IMPORTED = `${CREATED} by Import`;

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
			name: 'Name of the version that you asked for, by default of the latest one',
			status: '`ENABLED`, `DISABLED`, or `DELETING` if it is being deleted',
			published: 'Whether the flow has a published version',
			unpublishedChanges:
				'Whether the flow was edited after it was published. False if it was never published, null in a list with *Version* Published',
			pieces: 'Pieces that the trigger and the steps use, for example `@activepieces/piece-slack`',
			runsOldVersion:
				'Only from *Import*: whether the flow is enabled and still runs the version published before',
			change:
				'Only from *Import*: `created`, `updated`, or `unchanged` if the draft is that of the file already',
			missingPieces:
				'Only from *Import*: pieces that the imported flow uses and the server lacks, with their versions. An import can change versions. Null if the server does not say it',
			missingTables:
				'Only from *Import*: external IDs of tables that the flow uses and its project lacks, and of columns of tables, such as orders: amount. Null if they cannot be listed',
			missingFlows:
				'Only from *Import*: external IDs of flows that the flow calls and its project lacks',
			missingConnections:
				'Only from *Import*: external IDs of connections that the flow uses and its project lacks. Null if the connections cannot be listed',
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
			docs: {},
		},
		get: { docs: {} },
		getVersions: {
			locator: 'flowId',
			records: edited,
			expected: (id, data) =>
				versionsOf(data, find(data.flows, id))
					.map((version) => ({ flowId: id, id: version.id }))
					.sort((a, b) => (a.id < b.id ? -1 : 1)),
			needsSession: true,
			faults: [],
			load: false,
			live: { schema: 'FlowVersionMetadata' },
			docs: {
				needs:
					'Sign-In. With an API key, *Get* and *Export* return a version by its ID, for example the `flowVersionId` of a flow run (*Simplify* off)',
				calls: '`GET /v1/flows/{id}`',
				output: {
					title: 'Flow version',
					fields: {
						name: 'Name of the flow in this version',
						state:
							'`DRAFT` if it can be edited. Publishing makes it `LOCKED`; a later edit starts a new version',
						latest: 'Whether it is the version in the editor of Activepieces',
						published: 'Whether it is the version that runs while the flow is enabled',
						valid: 'Whether all of its steps are complete',
						updatedBy: 'Email of the last user who edited or published it; null for API keys',
					},
				},
			},
		},
		count: {
			records: ({ projects }) => projects,
			locator: 'projectId',
			expected: (projectId, { flows }) => ({
				count: flows.filter((each) => each.projectId === projectId).length,
				projectId,
			}),
			alsoWith: ofAllProjects,
			live: { schema: 'Count' },
			docs: {
				calls:
					'`GET /v1/folders/{id}` if a folder has none; `GET /v1/projects` for all projects; `GET /v1/flows` for *Status*',
				output: {
					title: 'Flow count',
					fields: {
						count: 'Number of flows',
						projectId: 'ID of the project; null for several projects',
					},
				},
			},
		},
		export: {
			expected: (id, { flows }) => ({ externalId: find(flows, id).externalId }),
			live: { schema: 'FlowFile' },
			docs: {
				output: {
					title: 'Exported flow',
					fields: {
						externalId: 'ID by which other flows and project releases refer to the flow',
						folderId: 'ID of its folder; null for none',
						status: '`ENABLED`, `DISABLED`, or `DELETING` if it is being deleted',
						flow: '`displayName`, `trigger` with all steps, `schemaVersion` and `notes`',
					},
				},
			},
		},
		// Before the flow is disabled.
		run: {
			records: (data) => [...unedited(data).filter(takesInput), ...unedited(data)].slice(0, 1),
			parameters: () => ({ input: '={{ $json }}' }),
			expected: (flowId) => ({ accepted: true, flowId }),
			isChanged: ({ webhooks }, id) => webhooks.runs.some(({ flowId }) => flowId === id),
			faults: [{ saysOfOthers: /in front of Activepieces responded instead of the flow/ }],
			load: { left: ({ webhooks }, items) => expect(webhooks.runs).toHaveLength(items) },
			live: { own: true },
			docs: {
				calls:
					'`GET /v1/flows/{id}` first; `GET /v1/flags` and, if the flow does not respond, or for *Wait for the End*, `GET /v1/flow-runs`, `GET /v1/flow-runs/{id}` and, of a large input, `GET /v1/files/{id}`. The path ends in `/draft` with *Latest (Test Run)*, and in `/sync` with *Wait for Response*',
				secondTime: '**Runs the flow again**',
				output: {
					title: 'Started flow',
					fields: {
						accepted: 'Always true: Activepieces accepted the call. A run may not exist yet',
						requestId: 'ID of the call, not of a run',
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
				calls: '`GET /v1/flows/{id}` before, and after until the status has changed',
				secondTime: 'Changes nothing, unless someone changed the status meanwhile',
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
				calls: 'the same as *Enable or Disable*, and `GET /v1/app-connections`',
				secondTime: 'Publishes what was edited since the first run, if anything',
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
			live: { own: true },
			docs: {
				calls: '`GET /v1/folders/{id}`',
				secondTime: '**Creates another flow** of the same name',
			},
		},
		update: {
			records: drafts,
			parameters: (id) => ({ updateFields: { displayName: renamed(id) } }),
			expected: (id) => ({ id, name: renamed(id) }),
			isChanged: ({ data }, id) => find(data.flows, id).version.displayName === renamed(id),
			load: { requests: 2 },
			live: { own: true },
			docs: {
				calls: '`GET /v1/flows/{id}`, `GET /v1/folders/{id}`',
				secondTime: 'Changes nothing, because the flow has the name and folder',
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
				{ isFull: true, looksAfterwards: true, readsBack: true, looksBeforeRemoval: true },
				{ name: 'reading it back', request: 'GET /v1/flows/{id}', looksBeforeRemoval: true },
			],
			load: {
				// Two files of one flow in a run are refused.
				holds: (flows) => ({ flows }),
				records: ({ flows }) => flows,
				locator: 'flowId',
				parameters: (id) => ({ mode: 'replace', content: fileOf(renamed(id)) }),
				expected: (id) => ({ id, name: renamed(id) }),
				requests: 4,
				left({ data }) {
					for (const { id, version } of data.flows) expect(version.displayName).toBe(renamed(id));
				},
			},
			live: { own: true },
			docs: {
				calls:
					'`POST /v1/flows` for a new flow, and `DELETE /v1/flows/{id}` to remove it if it is incomplete; `GET /v1/flows/{id}` before and after; `GET /v1/flows` for *Create or Update*; `GET /v1/app-connections`, `GET /v1/pieces/{name}`, `GET /v1/folders/{id}`',
				secondTime: {
					'New Flow': '**Creates another flow** of the same name',
					'Draft of an Existing Flow': 'Changes nothing, because the draft matches the file',
					'Create or Update': 'Changes nothing, and publishes nothing',
				},
			},
		},
		delete: {
			records: (data) => drafts(data).reverse(),
			faults: [{ isFull: true }],
			load: { records: ({ flows }) => flows, holds: (flows) => ({ flows }) },
			live: { own: true },
			docs: {},
		},
	},
};
