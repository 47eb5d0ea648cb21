import { call, start, stopAll } from './client';
import { RELEASES, type Service, type Tokens } from './index';

afterEach(stopAll);

async function as(service: Service, token: keyof Tokens | 'nobody', path: string) {
	const authorization = token === 'nobody' ? '' : `Bearer ${service.tokens[token]}`;
	const { status, text } = await call(service, path, { headers: { authorization } });
	return `${status} ${text}`;
}

describe.each(RELEASES)('%s', (release) => {
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
