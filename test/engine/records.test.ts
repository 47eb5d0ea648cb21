import { casesFor } from '../operations';
import { FIRST_AND_LAST } from '../service';
import { byId } from './harness/byId';
import { FOLDER, ofRecord, parametersOf } from './harness/parameters';
import { useService } from './harness/service';

const rename = (id: unknown, displayName: string) => ofRecord('folder.update', id, { displayName });

const UNKNOWN = 'A'.repeat(21);

describe.each(FIRST_AND_LAST)('single records on release %s', (release) => {
	const context = useService({ release });

	// These look for it in a list.
	const ofGlobals = ['globalConnection.delete', 'globalConnection.update'];
	const ofUsers = release === '0.79' ? ['user.get', 'user.update'] : [];
	const IN_LISTS = ['connection.delete', 'connection.update', ...ofGlobals, ...ofUsers];
	const ofOneRecord = casesFor(release).filter(
		({ locator, pair, resource: { locators = [] } }) =>
			!IN_LISTS.includes(pair) && locators.some(({ name }) => name === locator),
	);
	test.each(ofOneRecord)('$title: a record that is not there, with its field', async (each) => {
		const { name, locators: [{ displayName }] = [] } = each.resource;
		const message = `${name[0]}${name.slice(1).toLowerCase()} "${UNKNOWN}" was not found`;
		// The server asks Activepieces Cloud for a template that it does not have.
		const isOfCloud = each.pair === 'flowTemplate.get';
		const says = new RegExp(`^Check ${displayName}\\. ${isOfCloud ? 'This server' : 'The'} `);
		const parameters = each.parameters(context.data, UNKNOWN);
		const credential = each.credentialFor(context.service);
		const error = await context.failsWith(parameters, message, says, { credential });
		expect(error.httpCode).toBe(isOfCloud ? '500' : '404');
	});
});

describe('IDs and names', () => {
	const context = useService();

	test.each([
		['Name', 'folder.create'],
		['New Name', 'folder.update'],
		['Name', 'flow.create'],
		['Name', 'project.create'],
		['Name', 'flowTemplate.create'],
	])('%s of %s is refused when all its characters are invisible', async (label, pair) => {
		const any = byId('abc');
		const places = { folderId: any, projectId: any, flowId: any };
		const parameters = parametersOf(pair, { ...places, displayName: '={{ $json.name }}' });
		const invisible = ['', '   ', '\n', '\u200b', '\u2060\u200b', ' \u200b ', '\u200d'];
		for (const name of [...invisible, undefined]) {
			const says = 'If you use an expression, it returns no value.';
			await context.refuses(parameters, `${label} is empty`, says, [{ name }]);
		}
	});

	test('a name in place of an ID is told what IDs look like', async () => {
		const [{ displayName }] = context.data.projects;
		const inNamed = { resource: 'folder', operation: 'getAll', projectId: byId(displayName) };
		const says =
			'Check Project. Activepieces IDs have 21 letters and digits; for a name, use By Name if there is one. The project may';
		const message = `Project "${displayName}" was not found`;
		await context.failsWith(inNamed, message, says);
	});

	test('a name from an expression may be a number, not true', async () => {
		const parameters = rename(context.data.folders[0].id, '={{ $json.name }}');
		await context.refuses(parameters, 'New Name must be text, not true', [], [{ name: true }]);
		await context.records(parameters, [{ name: 2026 }]);
		expect(context.requests[0].body).toEqual({ displayName: '2026' });
	});
});

describe('records that the service never sends', () => {
	const context = useService();
	test.each([null, '', '  ', {}, true, 1.5])('the ID %j is that of another record', async (id) => {
		context.fault({ kind: { body: { id, displayName: 'x' } } });
		const message = 'The response for the folder does not have the expected format';
		await context.failsWith(FOLDER, message);
	});
});
