import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../service';
import { VERDICTS } from './harness/built';
import { byId } from './harness/byId';
import { flowFile } from './harness/flowFile';
import { DELETE, ID, ofRecord, parametersOf, RENAME } from './harness/parameters';
import { holdUntilInFlight, useService } from './harness/service';

const CHECK = 'Check in Activepieces before you run the node again.';
/** What is said of the other item, which is in doubt */
const OTHER =
	/ 0 of 2 items were completed\. Check in Activepieces whether the change was made for item index [01]\.$/;
const NONE = / 0 of 2 items were completed\.$/;
const NO_DOUBT = /^(?!.*(may have|Could not confirm|Nothing was changed))/s;

const FILE = flowFile('Send invoices', { type: 'CODE', settings: { input: {} } });

/** A response of a proxy that has lost its server. */
const LOST = { status: 502, shape: 'html' } as const;
const UNAVAILABLE = 'Activepieces is unavailable (HTTP 502)';
const GAVE_UP = /^Activepieces is unavailable \(HTTP 502\), after 5 tries in \d seconds?$/;
const FAILED = /^Activepieces could not (?:process the request|change flow "\w+") \(HTTP 500\)$/;
const IN_USE = /^Another user is editing flow "\w+"$/;
const NOT_ALLOWED = /^The API key is not allowed to access the (flow|folder) "\w+"$/;
const NOT_IN_PLAN = 'The Activepieces plan does not include custom templates';

/** One request of the flow by its ID, not of the list. */
const ONE_FLOW = /^\/v1\/flows\/\w+$/;

describe('the outcome of an item is what its own requests did', () => {
	const context = useService({ data: { projects: 2, foldersPerProject: 2, flows: 12 } });

	const { failsWith } = context;
	/** Runs the node with two items. */
	const says = async (
		parameters: INodeParameters,
		message: string | RegExp,
		...parts: Array<string | RegExp>
	) => await failsWith(parameters, message, parts, [{}, {}]);
	const imports = (more: INodeParameters) =>
		parametersOf('flow.import', { content: JSON.stringify(FILE), ...more });
	const asNew = () => imports({ mode: 'create', projectId: byId(context.data.projects[0].id) });

	const rename = (displayName: unknown = 'New') =>
		ofRecord('folder.update', context.data.folders[0].id, { displayName } as INodeParameters);

	test.each<[string, FaultKind, RegExp]>([
		['a proxy that refuses', { status: 403, body: { message: 'No.' } }, /did not check/],
		['a proxy with a conflict', { status: 409, body: { message: 'No.' } }, /did not check/],
		['a closed connection', { reset: 'beforeHeaders' }, /Try again/],
		['a proxy without its server', LOST, /Try again/],
	])('a change that may have been made is not to be tried again: %s', async (_name, kind, not) => {
		context.fault({ method: 'POST', kind });
		const { description } = await context.failure(rename());
		expect(description).toContain('Activepieces may have applied the change.');
		expect(description).not.toMatch(not);
	});

	test('of an item that cannot be sent beside completed ones, nothing was sent for this item', async () => {
		const items = [{ name: 'One' }, { name: '' }, { name: 'Three' }];
		const note = /Nothing was sent for this item\. 1 of 3 items were completed\.$/;
		await failsWith(rename('={{ $json.name }}'), 'New Name is empty', note, items);
	});

	const READ_FIRST = ['flow.publish', 'flow.setStatus', 'flowRun.cancel', 'flowRun.retry'];
	test.each(READ_FIRST)('%s changes nothing if its record cannot be read', async (pair) => {
		context.fault({ method: 'GET', kind: LOST });
		await says(ofRecord(pair, context.data.flows[0].id), GAVE_UP, NONE, NO_DOUBT);
	});

	test('a delete of another item whose response was lost is counted, although this item could not be read', async () => {
		const [first, second] = ['To keep', 'To go'].map((name) => context.live.addProject(name));
		// The first item fails while the second one is being deleted.
		context.fault({ method: 'GET', path: new RegExp(first.id), kind: LOST });
		for (const kind of [{ delay: 400 }, LOST]) {
			context.fault({ method: 'DELETE', path: new RegExp(second.id), done: true, kind });
		}
		const items = [first, second].map(({ id }) => ({ id }));
		const error = await context.failure(parametersOf('project.delete', { projectId: ID }), items);
		expect(error.context.itemIndex).toBe(0);
		expect(error.description).toMatch(OTHER);
		expect(error.description).not.toContain('may have applied');
		expect(context.data.projects).not.toContain(second);
	});

	test('of two deletes in doubt, one is told with its error and the other one with the count', async () => {
		const items = context.data.invitations.slice(0, 2).map(({ id }) => ({ id }));
		holdUntilInFlight(context, 2);
		context.fault({ method: 'DELETE', done: true, kind: LOST });
		const own = `Activepieces may have applied the change. ${CHECK} 0 of 2 items`;
		await failsWith(DELETE, GAVE_UP, [own, OTHER], items);
	});

	describe('an import as a new flow', () => {
		test('says that an empty flow may be there when the response to its creation was lost', async () => {
			const before = context.data.flows.length;
			context.fault({ method: 'POST', times: 1, done: true, kind: LOST });
			const empty = 'An empty flow "Send invoices" may be in the project. If it is, delete it';
			await says(asNew(), UNAVAILABLE, empty, NONE);
			expect(context.data.flows).toHaveLength(before + 1);
			expect(context.posts()).toHaveLength(1);
		});

		test.each([
			['refused', 1, { status: 403 }],
			['refused until the node gives up', 4, { status: 409, code: 'FLOW_OPERATION_IN_PROGRESS' }],
		])('names the flow whose removal is %s', async (_how, deletes, kind) => {
			context.fault({ method: 'POST', path: ONE_FLOW, kind: { status: 500 } });
			context.fault({ method: 'DELETE', kind });
			const left = /The new flow "Send invoices" \(\w+\) could not be removed\. Delete it/;
			await says(asNew(), FAILED, left, NONE);
			expect(context.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(deletes);
		});

		test.each([
			['refused', { status: 409, code: 'FLOW_IN_USE' }, IN_USE],
			['answered with 500', { status: 500 }, FAILED],
			['not answered', { reset: 'beforeHeaders' }, / closed the connection before the resp/],
		] as const)('removes the new flow when it is %s', async (_name, kind, message) => {
			const before = context.data.flows.length;
			context.fault({ method: 'POST', path: ONE_FLOW, kind });
			const removed = /The new flow was removed\. 0 of 2 items were completed\.$/;
			await says(asNew(), message, removed, NO_DOUBT);
			expect(context.data.flows).toHaveLength(before);
		});
	});

	test.each([
		[500, FAILED],
		[403, NOT_ALLOWED],
	])('an import that gives %d later says that it is stored', async (status, message) => {
		const { id } = context.live.addFlow({ enabled: true });
		context.fault({ method: 'GET', path: ONE_FLOW, after: 1, kind: { status } });
		const replaced = new RegExp(
			`(The draft was replaced|Activepieces has applied a part of the change)\\..*${CHECK}`,
		);
		const parameters = imports({ mode: 'replace', flowId: byId(id) });
		await says(parameters, message, replaced, NONE, NO_DOUBT);
	});

	test.each([
		['a refusal', { status: 409, code: 'FLOW_IN_USE' }, IN_USE, 'Its name was not changed.'],
		['another refusal', { status: 403 }, NOT_ALLOWED, 'Its name was not changed.'],
		['a lost response', LOST, UNAVAILABLE, 'Could not confirm whether its name was changed.'],
	] as const)('%s of the name of a flow that was moved says so', async (...row) => {
		const [, kind, message, name] = row;
		const { id, projectId } = context.live.addFlow();
		const folder = context.data.folders.find((each) => each.projectId === projectId);
		const updateFields = { folderId: byId(folder?.id), displayName: 'New name' };
		context.fault({ method: 'POST', after: 1, kind });
		const outcome = ` The flow was moved to the folder. ${name} 0 of 2 items were completed.`;
		const parameters = ofRecord('flow.update', id, { updateFields });
		const { httpCode } = await says(parameters, message, new RegExp(`${outcome}$`));
		expect(httpCode).toBe(String(kind.status));
	});

	test.each([
		['folder.update', 400, 'VALIDATION', /^Act.+ not accept the request$/],
		['folder.update', 404, 'ENTITY_NOT_FOUND', /^Fol.+ was not found$/],
		['folder.delete', 403, 'AUTHORIZATION', NOT_ALLOWED],
		['flowTemplate.delete', 402, 'FEATURE_DISABLED', NOT_IN_PLAN],
		['flow.delete', 409, 'FLOW_IN_USE', IN_USE],
	])('%s that the service refuses with %i %s changes nothing, and says so', async (...row) => {
		const [pair, status, code, message] = row;
		const isDelete = pair.endsWith('delete');
		context.fault({ method: isDelete ? 'DELETE' : 'POST', kind: { status, code } });
		const nothing = /Nothing was changed\. 0 of 2 items were completed\.$/;
		await says(ofRecord(pair, 'abc', isDelete ? {} : { displayName: 'Sales' }), message, nothing);
	});

	const REFUSED = 'Nothing was changed.';
	const MAYBE = `Activepieces may have applied the change. ${CHECK}`;
	const ofService = (status: number) => ({ status, code: 'ANY' });
	/** JSON, but in neither of the two shapes of the service */
	const ofProxy = (status: number) => ({ status, body: { message: 'no', code: status } });

	test.each([402, 403, 409])(
		'a %d of a proxy may hide a change, and is not explained as the service’s',
		async (status) => {
			context.fault({ method: 'POST', kind: ofProxy(status) });
			const message = `A proxy or firewall in front of Activepieces refused the request (HTTP ${status})`;
			await failsWith(RENAME, message, [/^It says: no\. /, MAYBE]);
		},
	);

	test.each(['POST', 'DELETE'])(
		'a %s that the service is too busy for changes nothing',
		async (method) => {
			context.fault({ method, kind: ofService(503) });
			const parameters = method === 'POST' ? RENAME : ofRecord('folder.delete', 'abc');
			const message = /^Activepieces is unavailable \(HTTP 503\), after 5 tries in \d+ seconds?$/;
			await failsWith(parameters, message, new RegExp(`running\\. ${REFUSED}$`));
		},
	);

	describe('whether something was changed does not depend on whether a request is sent again', () => {
		const flow = () => {
			const { id, projectId } = context.live.addFlow();
			const folder = context.data.folders.find((each) => each.projectId === projectId);
			const updateFields = { folderId: byId(folder?.id), displayName: 'New name' };
			return ofRecord('flow.update', id, { updateFields });
		};
		const table = () =>
			parametersOf('table.create', {
				projectId: byId(context.data.projects[0].id),
				tableName: `Orders ${context.data.tables.length}`,
				columns: { column: [{ name: 'Customer', type: 'TEXT' }] },
			});

		test.each<[string, () => INodeParameters, number, string, string]>([
			['a rename', () => RENAME, 0, REFUSED, MAYBE],
			['a delete', () => ofRecord('folder.delete', 'abc'), 0, REFUSED, MAYBE],
			['a flow', flow, 1, 'not changed.', 'Could not confirm whether its name was changed.'],
			['a table', table, 1, 'but lacks the column', 'but may lack the column'],
		])('%s with 423', async (_what, parameters, after, refused, maybe) => {
			const method = parameters().operation === 'delete' ? 'DELETE' : 'POST';
			const told = async (kind: FaultKind) => {
				context.clearFaults();
				context.clearRequests();
				context.fault({ method, after, kind });
				const { message, description } = await context.failure(parameters());
				const sent = context.requests.filter((each) => each.method === method).length;
				const text = `${message} ${description}`.replace(/, after 5 tries in \d+ seconds?/, '');
				return { text: text.replace(/\w{21}|Orders \d+/g, '…'), sent: sent - after };
			};
			const both = async () => [await told(ofService(423)), await told(ofProxy(423))];
			const [service, proxy] = await both();
			expect([service.text, proxy.text]).toEqual([
				expect.stringContaining(refused),
				expect.stringContaining(maybe),
			]);
			// 423 has the row of its class.
			const row = { ...VERDICTS.clientError, isTemporary: true };
			jest.replaceProperty(VERDICTS, 'clientError', row);
			const again = await both();
			jest.restoreAllMocks();
			expect([service.sent, proxy.sent]).toEqual([1, 1]);
			expect(again).toEqual([
				{ ...service, sent: 5 },
				{ ...proxy, sent: method === 'DELETE' ? 5 : 1 },
			]);
		});
	});
});
