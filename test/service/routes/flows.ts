import { type Context, PAGE_FIELDS, pageRequest } from '../context';
import { byStatusAndUpdated } from '../cursor';
import { entityNotFound, refuseNul } from '../errors';
import { flowsOfProject } from '../flowIndex';
import { containsLike, every, paginate, when } from '../list';
import type { FlowRecord, ServiceData } from '../records';
import type { Fields } from '../schema';

interface FlowQuery {
	projectId: string;
	folderId?: string;
	folderIds?: string[];
	status?: string[];
	name?: string;
	versionState?: 'LOCKED' | 'DRAFT';
	externalIds?: string[];
	connectionExternalIds?: string[];
	agentExternalIds?: string[];
}

const FIELDS: Fields = {
	projectId: { type: 'string', required: true },
	folderId: { type: 'string' },
	status: { type: 'enums', values: ['ENABLED', 'DISABLED'] },
	name: { type: 'string' },
	versionState: { type: 'enum', values: ['LOCKED', 'DRAFT'] },
	externalIds: { type: 'strings' },
	connectionExternalIds: { type: 'strings' },
	agentExternalIds: { type: 'strings' },
	...PAGE_FIELDS,
};

/** The version for LOCKED: undefined when the flow was never published. */
function publishedVersion(flow: FlowRecord, data: ServiceData) {
	if (flow.publishedVersionId === null) return undefined;
	return data.published.get(flow.id) ?? flow.version;
}

function filters(query: FlowQuery, data: ServiceData) {
	const version = (flow: FlowRecord) =>
		(query.versionState === 'LOCKED' ? publishedVersion(flow, data) : undefined) ?? flow.version;
	const overlaps = (wanted: string[]) => (values: string[]) =>
		values.some((value) => wanted.includes(value));
	return every<FlowRecord>(
		when(query.folderId, (id) => (flow) => flow.folderId === (id === 'NULL' ? null : id)),
		when(query.folderIds, (ids) => (flow) => ids.includes(flow.folderId ?? '')),
		when(query.status, (statuses) => (flow) => statuses.includes(flow.status)),
		when(query.externalIds, (ids) => {
			const wanted = new Set(ids);
			return (flow) => wanted.has(flow.externalId);
		}),
		when(query.name, (name) => {
			const matches = containsLike(name);
			return (flow) => matches(version(flow).displayName);
		}),
		when(
			query.connectionExternalIds,
			(ids) => (flow) => overlaps(ids)(version(flow).connectionIds),
		),
		when(query.agentExternalIds, (ids) => (flow) => overlaps(ids)(version(flow).agentIds)),
	);
}

/** GET /v1/flows. */
export function flowRoutes({ auth, route, traits }: Context): void {
	route(
		'GET',
		'/v1/flows',
		(request) => {
			const { platform } = auth.projectOfQuery(request, 'READ_FLOW');
			const query = request.query as FlowQuery;
			refuseNul(query.name, query.folderId, ...(query.externalIds ?? []));
			const locked = query.versionState === 'LOCKED';
			const passes = filters(
				traits.flowFolderIds ? query : { ...query, folderIds: undefined },
				platform,
			);
			const keep =
				locked && !traits.lockedNeedsPublished
					? (flow: FlowRecord) => flow.publishedVersionId !== null && passes(flow)
					: passes;
			const page = paginate(
				flowsOfProject(platform.flows, query.projectId),
				keep,
				pageRequest(request),
				byStatusAndUpdated(platform.micros),
			);
			if (!locked) return page;
			const data = page.data.map((flow) => {
				const version = publishedVersion(flow, platform);
				if (!version) {
					throw entityNotFound({ entityType: 'FlowVersion', message: `flowId=${flow.id}` });
				}
				return { ...flow, version };
			});
			return { ...page, data };
		},
		{ query: traits.flowFolderIds ? { ...FIELDS, folderIds: { type: 'strings' } } : FIELDS },
	);
}
