import { call, start, stopAll } from './client';

afterEach(stopAll);

describe('0.75, as read in its source', () => {
	const left = '/v1/flow-templates';
	const moved = '/v1/templates?type=CUSTOM';

	test('the left-over path gives the public catalogue, filtered; the own templates have moved', async () => {
		const service = await start({ release: '0.75', data: { templates: 3 } });
		const catalogue = (await call(service, left)).json().data;
		expect(catalogue).toHaveLength(8);
		expect(catalogue.every(({ type }) => type === 'OFFICIAL')).toBe(true);
		const found = (await call(service, `${left}?search=template%203`)).json().data;
		expect(found.map(({ name }) => name)).toEqual(['Public template 3']);
		expect((await call(service, moved)).json().data).toHaveLength(3);
		expect((await call(service, `${left}/x`, { method: 'DELETE' })).text).toContain('Route not');
		const own = `/v1/templates/${service.data.templates[0].id}`;
		expect((await call(service, own, { method: 'DELETE' })).status).toBe(204);
	});

	test('an empty page without a source, 500 without internet', async () => {
		const none = await start({ release: '0.75', templatesSource: 'none' });
		expect((await call(none, left)).json()).toEqual({ data: [], next: null, previous: null });
		const cut = await start({ release: '0.75', templatesSource: 'unreachable' });
		const refused = await call(cut, left);
		expect(`${refused.status} ${refused.text}`).toMatch(/^500 .*fetch failed/);
		expect((await call(cut, moved)).status).toBe(200);
	});

	test('a plan without templates is told, and tags are whole objects', async () => {
		const off = await start({ release: '0.75', plan: { manageTemplatesEnabled: false } });
		expect((await call(off, moved)).text).toContain('Templates are not enabled');
		const on = await start({ release: '0.75' });
		expect((await call(on, `${moved}&tags=even`)).status).toBe(400);
		const even = await call(on, `${moved}&tags[0][title]=even`);
		expect(even.json().data).toHaveLength(6);
	});
});

test('0.75 deletes an invitation to a project only when the project is named, too', async () => {
	const service = await start({ release: '0.75', data: 'recorded' });
	const invitation = service.data.invitations.find(({ type }) => type === 'PROJECT');
	const path = `/v1/user-invitations/${invitation?.id}`;
	const refused = await call(service, path, { method: 'DELETE' });
	expect(`${refused.status} ${refused.text}`).toMatch(/^403 .*Project ID is required/);
	const named = `${path}?projectId=${invitation?.projectId}`;
	expect((await call(service, named, { method: 'DELETE' })).status).toBe(204);
});

test('the 404 of Cloud for a path that it no longer has is passed on with status 200', async () => {
	const options = { release: '0.73', edition: 'community', templatesSource: 'gone' } as const;
	const service = await start(options);
	const headers = { authorization: `Bearer ${service.tokens.admin}` };
	const { status, text } = await call(service, '/v1/flow-templates', { headers });
	expect(status).toBe(200);
	expect(text).toContain('Route not found');
});

describe('queue metrics for Prometheus, as read in the source of 0.86.3', () => {
	const path = '/v1/worker-machines/queue-metrics/prometheus';

	test('every state of the contract, to admins and keys', async () => {
		const service = await start({ release: '0.86', prometheus: true });
		service.data.queue.failed = 3;
		const { headers, text } = await call(service, path);
		expect(headers.get('content-type')).toContain('text/plain');
		for (const [state, count] of Object.entries(service.data.queue)) {
			expect(text).toContain(`bullmq_job_count{queue="workerJobs", state="${state}"} ${count}\n`);
		}
		const asMember = { headers: { authorization: `Bearer ${service.tokens.member}` } };
		expect((await call(service, path, asMember)).status).toBe(403);
		const unknown = await call(service, `${path}/other`);
		expect(`${unknown.status} ${unknown.text}`).toBe('404 {"message":"Queue not found"}');
	});

	test('absent where it is not asked for', async () => {
		expect((await call(await start({ release: '0.86' }), path)).text).toContain('Route not found');
	});
});
