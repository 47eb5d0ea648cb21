import type { Context } from '../context';
import { byCreatedDescending } from '../cursor';
import { notAllowed } from '../errors';
import { versionsOf } from '../flowChanges';
import { paged, paginate } from '../list';
import type { FlowVersionRecord } from '../records';
import { flowOf } from './flows';
import { userInAnswer } from './users';

/** GET /v1/flows/{id}/versions, for sessions of any role; a key gets a single version at /v1/flows/{id}. */
export function flowVersionRoute(context: Context): void {
	const { auth, route, traits } = context;
	route('GET', '/v1/flows/:id/versions', { query: paged({}) }, (request) => {
		if (auth.projectPrincipal(request).type === 'SERVICE') {
			throw notAllowed({ message: traits.unknownPrincipal });
		}
		const { data, flow } = flowOf(context, request);
		const versions = versionsOf(data, flow);
		const page = paginate<FlowVersionRecord, number>(
			request,
			versions,
			() => true,
			byCreatedDescending,
		);
		const metadata = page.data.map((version) => {
			const { id, created, updated, flowId, displayName, valid, state } = version;
			const { updatedBy, schemaVersion } = version;
			const user = data.users.find((each) => each.id === updatedBy);
			const updatedByUser = user ? userInAnswer(user) : null;
			const known = { id, created, updated, flowId, displayName, valid, state };
			return { ...known, updatedBy, schemaVersion, updatedByUser };
		});
		return { ...page, data: metadata };
	});
}
