import { call, start, stopAll } from './client';
import { RELEASES, type Service, type Tokens } from './index';

afterEach(stopAll);

async function as(service: Service, token: keyof Tokens | 'nobody', path: string, method = 'GET') {
	const headers: Record<string, string> = {
		authorization: token === 'nobody' ? '' : `Bearer ${service.tokens[token]}`,
	};
	const { status, text } = await call(service, path, { method, headers });
	return `${status} ${text}`;
}

describe.each(RELEASES)('%s', (release) => {
	const old = release === '0.73' || release === '0.75';
	const late = release >= '0.85';

	test('Community: a person reads their projects, without keys or global connections', async () => {
		const service = await start({ release, edition: 'community', data: 'recorded' });
		expect(await as(service, 'admin', '/v1/global-connections')).toContain('Route not found');
		const path = '/v1/user-invitations?type=PLATFORM';
		expect((await call(service, path)).text).toContain('invalid api key');
		const projects = await as(service, 'admin', '/v1/projects');
		const ofUser = await as(service, 'admin', '/v1/users/projects');
		if (old) {
			expect(projects).toContain('Route not found');
			expect(JSON.parse(ofUser.slice(4)).data).toHaveLength(1);
		} else {
			expect(JSON.parse(projects.slice(4)).data).toHaveLength(late ? 3 : 1);
			expect(ofUser).toMatch(/^400 .*FST_ERR_VALIDATION/);
		}
	});

	test('the tokens that are refused, and how', async () => {
		const service = await start({ release });
		const path = '/v1/user-invitations?type=PLATFORM';
		expect(await as(service, 'admin', path)).toMatch(/^200/);
		expect(await as(service, 'member', path)).toMatch(/^200/);
		for (const token of ['expired', 'garbled', 'deletedUser'] as const) {
			expect(await as(service, token, path)).toMatch(/^401 .*INVALID_BEARER_TOKEN/);
		}
		expect(await as(service, 'revoked', path)).toMatch(/^403 .*SESSION_EXPIRED/);
		expect(await as(service, 'wrongKey', path)).toMatch(/^401 .*invalid api key/);
		expect(await as(service, 'nobody', path)).toMatch(/^403 .*AUTHORIZATION/);
	});

	test('what a member may not do', async () => {
		const service = await start({ release });
		const { invitations, projects } = service.data;
		const [metrics] =
			release >= '0.85' ? ['/v1/worker-machines/queue-metrics'] : ['/v1/queue-metrics'];
		expect(await as(service, 'member', metrics)).toMatch(/^403/);
		expect(await as(service, 'member', '/v1/global-connections')).toMatch(/^403/);
		const platform = invitations.find(({ type }) => type === 'PLATFORM');
		const path = `/v1/user-invitations/${platform?.id}`;
		expect(await as(service, 'member', path, 'DELETE')).toContain('User is not owner');
		const flows = `/v1/flows?projectId=${projects[0].id}`;
		expect(await as(service, 'member', flows)).toMatch(/^403/);
	});

	test('flags tell release and edition to whoever sends no key', async () => {
		const service = await start({ release });
		expect(await as(service, 'nobody', '/v1/flags')).toMatch(/^200 .*"EDITION":"ee"/);
		expect(await as(service, 'wrongKey', '/v1/flags')).toMatch(/^401/);
		expect((await call(service, '/v1/flags')).status).toBe(release === '0.73' ? 409 : 200);
	});
});

describe('roles in a project', () => {
	async function withRole(role: 'Viewer' | 'Editor') {
		const service = await start({ release: '0.85' });
		const [project] = service.data.projects;
		service.data.members.push({ userId: service.data.users[1].id, projectId: project.id, role });
		const [folder] = service.data.folders;
		const { status, text } = await call(service, `/v1/folders/${folder.id}`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${service.tokens.member}`,
				'content-type': 'application/json',
			},
			body: '{"displayName":"Changed"}',
		});
		return { service, project, changed: `${status} ${text}` };
	}

	test('a viewer reads, and sees the project in the list, but changes nothing', async () => {
		const { service, project, changed } = await withRole('Viewer');
		expect(await as(service, 'member', `/v1/flows?projectId=${project.id}`)).toMatch(/^200/);
		expect(await as(service, 'member', '/v1/projects')).toContain(project.id);
		expect(changed).toMatch(/^403 .*PERMISSION_DENIED.*"permission":"WRITE_FLOW"/);
	});

	test('an editor changes folders', async () => {
		expect((await withRole('Editor')).changed).toMatch(/^200/);
	});
});

test('a token of 0.73 opens no other project than its own, also in Enterprise', async () => {
	const service = await start({ release: '0.73', data: 'recorded' });
	const [main, , , personal] = service.data.projects;
	const flows = ({ id }: { id: string }) => `/v1/flows?projectId=${id}`;
	expect(await as(service, 'admin', flows(personal))).toMatch(/^200/);
	expect(await as(service, 'admin', flows(main))).toMatch(/^403 .*invalid project id/);
});
