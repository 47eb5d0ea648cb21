import type { IDataObject } from 'n8n-workflow';

import { flowFile } from './harness/flowFile';
import { parametersOf } from './harness/parameters';
import { byId, useService } from './harness/service';

/** Names that every object has; the framework of the service accepts these two in a body. */
const NAMES = ['constructor', 'prototype'];

/** Deeper than a function that calls itself for each value can read, as n8n's helper does. */
const DEEP = 2_500;

const input = (text: string) => ({
	...flowFile('Orders', {
		type: 'PIECE',
		settings: {
			pieceName: '@activepieces/piece-slack',
			pieceVersion: '0.12.1',
			actionName: 'send_channel_message',
			input: JSON.parse(text) as IDataObject,
			propertySettings: {},
		},
	}),
	// That of the server, which would convert any other.
	schemaVersion: '22',
});

describe('bodies arrive as they are', () => {
	const context = useService({ data: { projects: 2, flows: 2 } });

	const asDraft = (id: unknown) =>
		parametersOf('flow.import', {
			mode: 'replace',
			flowId: byId(id),
			content: '={{ $json.file }}',
		});
	const posts = () => context.requests.filter(({ method }) => method === 'POST');
	const addFlow = () => context.live.addFlow({ enabled: true, trigger: 'webhook' });
	/** As text, because an expression of n8n may not contain an object with such a name. */
	const file = (text: string) => ({ file: JSON.stringify(input(text)) });

	test.each(NAMES)('an input of a step with the name %s', async (name) => {
		const { id } = addFlow();
		await context.records(asDraft(id), [file(`{"text":"hi","${name}":"kept"}`)]);
		const [{ body }] = posts();
		expect(JSON.stringify(body)).toContain(`"${name}":"kept"`);
		const stored = context.data.flows.find((flow) => flow.id === id);
		expect(JSON.stringify(stored)).toContain(`"${name}":"kept"`);
	});

	test.each(NAMES)('a second import of the same file changes nothing: %s', async (name) => {
		const { id } = addFlow();
		const items = [file(`{"text":"hi","${name}":"kept"}`)];
		await context.records(asDraft(id), items);
		await context.records(asDraft(id), items);
		expect(posts()).toHaveLength(1);
	});

	test('a name that the framework of the service refuses is no success', async () => {
		const { id } = addFlow();
		const error = await context.failure(asDraft(id), [file('{"text":"hi","__proto__":{"a":1}}')]);
		expect(error.httpCode).toBe('400');
		expect(posts()).toHaveLength(1);
	});

	test.each(NAMES)('metadata of a project with the name %s', async (name) => {
		const metadata = `{"plan":"pro","${name}":"kept"}`;
		const created = parametersOf('project.create', { displayName: 'Customer', metadata });
		const [first] = context.data.projects;
		await context.run(created);
		const updated = parametersOf('project.update', {
			projectId: byId(first.id),
			updateFields: { metadata },
		});
		// The service may refuse the name. The request has it.
		await context.run(updated);
		const bodies = posts().map(({ body }) => JSON.stringify((body as IDataObject).metadata));
		expect(bodies).toEqual([metadata, metadata]);
	});

	test('values that are nested deeply are sent', async () => {
		const metadata = `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`;
		const { error } = await context.run(
			parametersOf('project.create', { displayName: 'Deep', metadata }),
		);
		expect(posts()).toHaveLength(1);
		expect(error?.description ?? '').not.toContain('call stack');
	});
});
