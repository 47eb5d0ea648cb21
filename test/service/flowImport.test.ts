import { call, start, stopAll } from './client';
import type { Release, Service } from './index';

afterEach(stopAll);

const post = async (service: Service, id: string, request: unknown) =>
	await call(service, `/v1/flows/${id}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ type: 'IMPORT_FLOW', request }),
	});

interface Version {
	[name: string]: unknown;
	trigger: { settings: object; nextAction: { settings: object } };
}
const versionOf = ({ text }: { text: string }) =>
	(JSON.parse(text) as { version: Version }).version;

/** What was sent in the recordings, with one step of two. */
const template = {
	displayName: 'Uses connections',
	trigger: {
		name: 'trigger',
		valid: true,
		displayName: 'Catch Webhook',
		type: 'PIECE_TRIGGER',
		settings: {
			propertySettings: {},
			pieceName: '@activepieces/piece-webhook',
			pieceVersion: '0.1.29',
			input: { authType: 'none', authFields: {} },
			triggerName: 'catch_webhook',
		},
		nextAction: {
			name: 'step_1',
			skip: false,
			type: 'PIECE',
			valid: true,
			settings: {
				input: { auth: "{{connections['conn-telegram']}}", chat_id: "{{trigger['body']['id']}}" },
				pieceName: '@activepieces/piece-telegram-bot',
				actionName: 'send_text_message',
				pieceVersion: '1.0.0',
				propertySettings: {},
			},
			displayName: 'send_text_message',
			lastUpdatedDate: '2026-11-22T03:59:01.631Z',
		},
	},
};
const SCHEMA: Record<string, string> = { '0.73': '10', '0.79': '18', '0.85': '22', '0.86': '22' };

describe.each<Release>(['0.73', '0.79', '0.85', '0.86'])('IMPORT_FLOW on %s', (release) => {
	const schemaVersion = SCHEMA[release];

	test('stores what was sent as the recorded servers did (b/56, b/61, b/64)', async () => {
		const service = await start({ release });
		const { id } = service.live.addFlow({ trigger: 'empty' });
		const answer = await post(service, id, { ...template, schemaVersion });
		expect(answer.status).toBe(200);
		const { trigger, ...version } = versionOf(answer);
		expect(version).toMatchObject({
			displayName: 'Uses connections',
			schemaVersion,
			connectionIds: ['conn-telegram'],
			state: 'DRAFT',
			valid: true,
		});
		const isRanged = release === '0.73' || release === '0.79';
		const isOld = release === '0.73';
		expect(trigger.settings).toEqual({
			...template.trigger.settings,
			pieceVersion: isRanged ? '~0.1.29' : '0.1.29',
			...(isOld ? { sampleData: {} } : {}),
		});
		const sent = template.trigger.nextAction;
		const { lastUpdatedDate, ...step } = sent;
		expect(trigger.nextAction).toEqual({
			...step,
			settings: { ...sent.settings, pieceVersion: isRanged ? '^1.0.0' : '1.0.0', sampleData: {} },
			...(isOld ? {} : { lastUpdatedDate: expect.not.stringMatching(lastUpdatedDate) }),
		});
		for (const other of ['99', null]) {
			const again = await post(service, id, { ...template, schemaVersion: other, notes: null });
			expect([again.status, versionOf(again).schemaVersion]).toEqual([200, schemaVersion]);
		}
	});

	test('rewrites the references of files of before 21 (b/91, b/93)', async () => {
		const service = await start({ release });
		const { id } = service.live.addFlow({ trigger: 'empty' });
		const { trigger } = versionOf(await post(service, id, { ...template, schemaVersion: '10' }));
		const reference = schemaVersion === '22' ? "trigger['output']['body']" : "trigger['body']";
		expect(JSON.stringify(trigger)).toContain(`{{${reference}['id']}}`);
	});

	test('refuses a request without a name, a trigger, or with half of one (b/65 to b/69)', async () => {
		const service = await start({ release });
		const flow = service.live.addFlow({ trigger: 'empty' });
		const before = flow.version.displayName;
		for (const request of [
			{ displayName: 'x', schemaVersion },
			{ displayName: 'x', trigger: {}, schemaVersion },
			{ displayName: 'x', trigger: { type: 'PIECE_TRIGGER', name: 'trigger' }, schemaVersion },
			{ trigger: template.trigger, schemaVersion },
		]) {
			const { status, text } = await post(service, flow.id, request);
			expect([status, text]).toEqual([400, expect.stringContaining('FST_ERR_VALIDATION')]);
			if (release !== '0.73') expect(text).toContain('body/ Invalid input');
		}
		expect(flow.version.displayName).toBe(before);
		// An empty name will do (b/68), and so will an empty trigger (b/71).
		const empty = { type: 'EMPTY', name: 'trigger', displayName: 'x', valid: false, settings: {} };
		const answer = await post(service, flow.id, { displayName: '', trigger: empty });
		expect([answer.status, versionOf(answer).valid]).toEqual([200, false]);
	});

	test('makes a draft of a published flow, which stays as it is (b/84)', async () => {
		const service = await start({ release });
		const { id, publishedVersionId } = service.live.addFlow({ enabled: true });
		const { text } = await post(service, id, { ...template, schemaVersion });
		expect(JSON.parse(text)).toMatchObject({
			status: 'ENABLED',
			publishedVersionId,
			version: { state: 'DRAFT', id: expect.not.stringMatching(String(publishedVersionId)) },
		});
	});
});
