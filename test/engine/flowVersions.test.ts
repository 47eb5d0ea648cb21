import type { INodeParameters } from 'n8n-workflow';

import { FIRST_AND_LAST } from '../service';
import { versionsOf } from '../service/flowChanges';
import { ids } from './harness/byId';
import { ALL_FLOWS, ofRecord } from './harness/parameters';
import { requestPaths, requestUrls, useService, type TestContext } from './harness/service';
import { signInCredential, useSignIn } from './harness/signIn';

/** A flow that was published as First and as Second, and edited since; its versions, the newest first. */
function manyVersions({ data, live }: TestContext) {
	const flow = live.addFlow({ published: true, enabled: true, name: 'First' });
	for (const name of ['Second', 'Third']) {
		live.editFlow(flow.id, name);
		if (name === 'Second') live.publishFlow(flow.id);
	}
	return { ...flow, versions: versionsOf(data, flow) };
}

const withVersion = (versionId: unknown) => ({ version: 'id', versionId: versionId as string });

describe.each(FIRST_AND_LAST)('versions of a flow on release %s', (release) => {
	const context = useService({ release, data: { projects: 1, flows: 6 } });
	const edited = () => {
		const flow = context.live.addFlow({ published: true, enabled: true, name: 'As published' });
		context.live.editFlow(flow.id, 'As edited');
		return flow;
	};
	const get = async (id: string, more = {}) =>
		await context.records(ofRecord('flow.get', id, more));

	test('an edited flow is returned as edited, or as it runs, and has unpublished changes', async () => {
		const { id } = edited();
		const state = { published: true, unpublishedChanges: true };
		expect(await get(id)).toMatchObject([{ ...state, name: 'As edited' }]);
		context.clearRequests();
		const published = { version: 'published' };
		expect(await get(id, published)).toMatchObject([{ ...state, name: 'As published' }]);
		const flow = `GET /v1/flows/${id}`;
		expect(requestPaths(context)).toEqual([flow, flow]);
		const [raw] = await get(id, { ...published, simplify: false });
		expect(raw.version).toMatchObject({ id: raw.publishedVersionId, state: 'LOCKED' });
	});

	test('a list of published versions does not show whether there are changes', async () => {
		const { id } = edited();
		const filters = { versionState: 'LOCKED', status: ['ENABLED'] };
		const flows = await context.records({ ...ALL_FLOWS, filters });
		const listed = { name: 'As published', published: true, unpublishedChanges: null };
		expect(flows.find((each) => each.id === id)).toMatchObject(listed);
	});
});

describe.each(FIRST_AND_LAST)('a version by its ID on release %s', (release) => {
	const context = useService({ release, data: { projects: 1, flows: 6 } });
	const of = (operation: string, id: unknown, versionId: unknown) =>
		ofRecord(`flow.${operation}`, id, withVersion(versionId));

	test('Get and Export return it, with the state of the flow', async () => {
		const { id, versions } = manyVersions(context);
		const names = ['Third', 'Second', 'First'];
		for (const [at, version] of versions.entries()) {
			context.clearRequests();
			const [got] = await context.records(of('get', id, ` ${version.id}\n`));
			const state = { published: true, unpublishedChanges: true };
			expect(got).toMatchObject({ ...state, id, name: names[at] });
			// The latest version shows whether there are changes.
			const path = `GET /v1/flows/${id}`;
			const query = `?versionId=${version.id}`;
			expect(requestUrls(context)).toEqual(at === 0 ? [path] : [path, path + query]);
			const exported = await context.record(of('export', id, version.id));
			expect(exported).toMatchObject({ name: names[at], flow: { displayName: names[at] } });
		}
	});

	test.each([
		['of another flow', ({ data }: TestContext) => data.flows[0].version.id],
		['that is unknown', () => 'A'.repeat(21)],
		['that is mistyped', () => 'second'],
	])('one %s is told', async (_name, versionOf) => {
		const { id } = manyVersions(context);
		const versionId = versionOf(context);
		for (const operation of ['get', 'export']) {
			const message = `Flow "${id}" has no version with the ID "${versionId}"`;
			const error = await context.failsWith(of(operation, id, versionId), message, [
				'Check Version ID. The version may be that of another flow.',
			]);
			expect(error.httpCode).toBe('404');
		}
	});

	test('of a flow that was deleted is told', async () => {
		const { id, versions } = manyVersions(context);
		context.live.deleteFlow(id);
		context.service.settleFlowChanges();
		await context.failsWith(of('get', id, versions[2].id), `Flow "${id}" was not found`);
	});

	test.each(['', ' ', '={{ $json.none }}'])('without an ID nothing is sent: %j', async (given) => {
		const { id } = context.data.flows[0];
		await context.refuses(of('get', id, given), 'Version ID is empty');
	});

	test('an expression for Version needs no Version ID', async () => {
		const { id } = context.data.flows[0];
		const version = { version: '={{ "latest" }}', versionId: '' };
		expect(await context.records(ofRecord('flow.get', id, version))).toMatchObject([{ id }]);
	});

	test('another version than the requested one is not returned', async () => {
		const { id, versions, ...flow } = manyVersions(context);
		context.fault({ path: `/v1/flows/${id}`, kind: { body: { ...flow, id } } });
		const message = `The server did not return the requested version of flow "Third" (${id})`;
		await context.failsWith(of('export', id, versions[2].id), message, 'Check the proxy');
	});

	test('brings a flow back to it: Export, then Import with Publish', async () => {
		const { id, versions } = manyVersions(context);
		const file = await context.record(of('export', id, versions[2].id));
		const parameters = ofRecord('flow.import', id, {
			...{ mode: 'replace', content: JSON.stringify(file), options: { publish: true } },
		});
		const settled = context.records(parameters);
		expect(await settled).toMatchObject([{ name: 'First', change: 'updated', published: true }]);
		const flow = context.flow(id)!;
		expect(flow.publishedVersionId).toBe(flow.version.id);
		// A draft has no version of its own before it is published.
		const names = versionsOf(context.data, flow).map(({ displayName }) => displayName);
		expect(names).toEqual(['First', 'Second', 'First']);
	});
});

const getVersions = (id: unknown, more: INodeParameters = {}) =>
	ofRecord('flow.getVersions', id, { returnAll: true, ...more });

describe.each([
	['0.79', 'enterprise'],
	['0.85', 'community'],
	['0.92', 'enterprise'],
] as const)('Get Versions on release %s, %s', (release, edition) => {
	const context = useSignIn({ release, edition, data: { projects: 1, flows: 6 } });

	test('returns the versions, newest first, for a session', async () => {
		const { id, versions } = manyVersions(context);
		versions[1].updatedBy = context.data.admin.id;
		const { email } = context.data.admin;
		const [third, second, first] = await context.records(getVersions(id));
		const isNot = { latest: false, published: false };
		expect(third).toMatchObject({ name: 'Third', state: 'DRAFT', ...isNot, latest: true });
		const ofSecond = { name: 'Second', state: 'LOCKED', ...isNot, published: true };
		expect(second).toMatchObject({ ...ofSecond, valid: true, updatedBy: email });
		expect(first).toMatchObject({ name: 'First', ...isNot, updatedBy: null });
		const names = 'name state latest published valid updatedBy created updated flowId id';
		expect(Object.keys(first)).toEqual(names.split(' '));
		expect(ids([third, second, first])).toEqual(ids(versions));
		const sent = requestPaths(context).filter((path) => path.startsWith('GET'));
		expect(sent).toEqual([`GET /v1/flows/${id}/versions`, `GET /v1/flows/${id}`]);
	});

	test('Limit, Simplify and fields of a tool ask for no more than they need', async () => {
		const { id, versions } = manyVersions(context);
		await context.records(getVersions(id));
		context.clearRequests();
		const limited = { returnAll: false, limit: 2, simplify: false };
		const raw = await context.records(getVersions(id, limited));
		expect(raw).toMatchObject(versions.slice(0, 2).map((each) => ({ id: each.id })));
		expect(raw[0]).toHaveProperty('schemaVersion');
		expect(raw[0]).not.toHaveProperty('trigger');
		expect(requestUrls(context)).toEqual([`GET /v1/flows/${id}/versions?limit=2`]);
	});

	test('a flow that is not there, and a user without a role, are told', async () => {
		await context.failsWith(getVersions('A'.repeat(21)), `Flow "${'A'.repeat(21)}" was not found`);
		const { id } = manyVersions(context);
		const credential = signInCredential(context, 1);
		const error = await context.failure(getVersions(id), { credential });
		expect(error.message).toMatch(/^The signed-in user is not allowed to access the flow/);
	});
});

describe.each(FIRST_AND_LAST)('an API key on release %s', (release) => {
	const context = useService({ release, data: { projects: 1, flows: 6 } });

	test('cannot list versions, and learns what it can do', async () => {
		const message = 'Activepieces does not list the versions of a flow for an API key';
		const advice = ['Sign-In', 'Get and Export return a version by its ID', 'flowVersionId'];
		await context.failsWith(getVersions(context.data.flows[0].id), message, advice);
		expect(context.requests).toHaveLength(1);
	});

	test('gets the version of a run by its ID', async () => {
		const { id, versions } = manyVersions(context);
		const { id: runId } = context.live.addFlowRun({ flowId: id, version: versions[2] });
		const [run] = await context.records(ofRecord('flowRun.get', runId, { simplify: false }));
		const got = await context.records(ofRecord('flow.get', id, withVersion(run.flowVersionId)));
		expect(got).toMatchObject([{ name: 'First' }]);
	});
});
