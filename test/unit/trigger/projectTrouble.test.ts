import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { limits } from '../../../nodes/Activepieces/transport/limits';
import { FakeN8n } from './fakeN8n';
import { FakeService } from './fakeService';
import { DAY, HOUR, useFakes } from './useFakes';

/** Of a service of two projects one answers in a way of its own. */
class TroubledService extends FakeService {
	answerOfB?: () => IN8nHttpFullResponse;
	/** What the runs of each project were asked for since, last */
	since = new Map<unknown, unknown>();

	override answer(options: IHttpRequestOptions): IN8nHttpFullResponse {
		const { projectId, createdAfter } = options.qs ?? {};
		if (projectId !== undefined) this.since.set(projectId, createdAfter);
		if (projectId === 'project-b' && this.answerOfB !== undefined) return this.answerOfB();
		return super.answer(options);
	}
}

let service: TroubledService;
beforeEach(() => {
	service = new TroubledService();
});
useFakes();

const thrown = (code: string) => () => {
	throw Object.assign(new Error(code), { code });
};
const answered = (body: string, statusCode = 200, headers: IDataObject = {}) => {
	return () => ({ statusCode, headers: { 'content-length': '1', ...headers }, body });
};
let cursor = 0;

/** Each has a list that cannot be read in its own way. */
const TROUBLES: Array<[string, () => IN8nHttpFullResponse]> = [
	...[400, 402, 404, 409, 410, 422, 451, 500].map(
		(status): [string, () => IN8nHttpFullResponse] => [
			`answers ${status}`,
			answered(JSON.stringify({ statusCode: status, message: 'Refused' }), status),
		],
	),
	['does not answer in time', thrown('ECONNABORTED')],
	['closes the connection', thrown('ECONNRESET')],
	['answers half of a JSON text', answered('{"dat')],
	['answers a page of a proxy', answered('<html>', 200, { 'content-type': 'text/html' })],
	[
		'gives empty pages without end',
		() => answered(JSON.stringify({ data: [], next: String(cursor++) }))(),
	],
];

test.each(TROUBLES)('a project that %s does not silence the others', async (_name, answerOfB) => {
	const n8n = new FakeN8n(service, { event: 'flowCreated' });
	await n8n.activate('activate');
	service.answerOfB = answerOfB;
	const missed = service.addFlow({ projectId: 'project-b', created: service.time }).id;
	const made: string[] = [];
	for (let count = 0; count < 5; count++) {
		service.pass(HOUR);
		made.push(service.addFlow().id);
		await n8n.poll();
	}
	expect(n8n.ids).toEqual(made);
	expect(n8n.errors).toHaveLength(3);
	expect(n8n.errors[0].message).toContain('"project-b"');
	service.answerOfB = undefined;
	await n8n.poll();
	expect(n8n.ids).toEqual([...made, missed]);
});

test.each([401, 429])('a project that answers %s ends the poll', async (status) => {
	const n8n = new FakeN8n(service, { event: 'flowCreated' });
	await n8n.activate('activate');
	service.answerOfB = answered('{"message":"Refused"}', status);
	service.pass(HOUR);
	service.addFlow();
	await n8n.poll();
	expect(n8n.given).toEqual([]);
});

test('a server that refuses a status is asked without it, although a project is refused for another reason', async () => {
	const n8n = new FakeN8n(service, {
		event: 'flowRunFailed',
		statuses: ['FAILED', 'LOG_SIZE_EXCEEDED'],
	});
	const { answer } = FakeService.prototype;
	service.refused.set('project-a', 403);
	service.answer = (options) =>
		options.qs?.projectId === 'project-b' &&
		(options.qs.status as string[]).includes('LOG_SIZE_EXCEEDED')
			? answered('{"message":"Unknown status"}', 400)()
			: answer.call(service, options);
	await n8n.activate('activate');
	service.pass(HOUR);
	const { id } = service.addRun({ projectId: 'project-b' });
	await n8n.poll();
	expect(n8n.ids).toEqual([id]);
});

test('a project that is refused for good does not make the others be read from then on', async () => {
	const n8n = new FakeN8n(service, {
		event: 'flowRunFailed',
		statuses: ['FAILED'],
		'options.lookbackHours': 1,
	});
	await n8n.activate('activate');
	service.refused.set('project-b', 403);
	for (let day = 0; day < 40; day++) {
		service.pass(DAY);
		service.addRun();
		await n8n.poll();
	}
	expect(n8n.given).toHaveLength(40);
	const ageOf = (project: string) => service.now - Date.parse(String(service.since.get(project)));
	expect(ageOf('project-a')).toBeLessThan(DAY + 2 * HOUR);
	expect(ageOf('project-b')).toBeLessThan(limits.triggerMissingProjectMs + 2 * HOUR);
});

test('a long name of a project does not hide why it cannot be read', async () => {
	// The longest that an ID may be; the stand-in's projects are named by it.
	const long = 'n'.repeat(1000);
	service.projects = ['project-a', long];
	const n8n = new FakeN8n(service, { event: 'flowCreated' });
	await n8n.activate('activate');
	service.refused.set(long, 403);
	await n8n.poll();
	expect(n8n.warnings[0]).toMatch(/cannot be read: \w.*The other projects are read/);
});
