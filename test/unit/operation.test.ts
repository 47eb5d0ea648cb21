import { named, type Fields } from '../../nodes/Activepieces/descriptions/field';
import { newMetadata } from '../../nodes/Activepieces/descriptions/kinds';
import type { OperationContext } from '../../nodes/Activepieces/execution/operationContext';
import { operation } from '../../nodes/Activepieces/resources/operation';

const locator = { displayName: 'Thing', name: 'thingId', noun: 'thing', required: true };
const entry = { displayName: 'By ID', name: 'id', placeholder: 'e.g. a' };
const thing = named({ ...locator, entry, modes: [], description: '' } as never);
const metadata = newMetadata('thing');

/** What an operation without functions asks for, with these values of its fields. */
async function requestOf(fields: Fields, values: Record<string, unknown>) {
	const requestRecord = jest.fn(async (request: object) => await Promise.resolve({ request }));
	const { run } = operation({
		name: 'Update',
		value: 'update',
		description: '',
		toolDescription: '',
		endpoint: { method: 'POST', path: '/v1/things/{id}' },
		fields: fields as { thing: typeof thing },
		simplify: (record) => record,
	});
	const get = (name: string, fallback: unknown) => values[name] ?? fallback;
	await run({ client: { requestRecord }, get } as never as OperationContext);
	return requestRecord.mock.calls[0][0];
}

test.each([
	['before', { thing, metadata }],
	['after', { metadata, thing }],
])(
	'the record of a request is that of its field, %s a value that looks like one',
	async (_place, fields) => {
		const values = { thingId: 'a', metadata: { subject: 'hello' } };
		expect(await requestOf(fields, values)).toMatchObject({
			id: 'a',
			subject: { noun: 'thing', field: 'Thing' },
			body: { metadata: { subject: 'hello' } },
		});
	},
);
