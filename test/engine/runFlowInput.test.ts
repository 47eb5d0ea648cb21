/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside n8n's engine, never inside n8n */
import type { IncomingMessage } from 'node:http';

import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { WHOLE_ITEM } from '../../nodes/Activepieces/resources/flow/run.operation';
import { useHostileServers } from './harness/hostile';
import { runFlow } from './harness/runFlow';

const FLOW = {
	id: 'flow',
	status: 'ENABLED',
	publishedVersionId: 'version',
	version: {
		id: 'version',
		displayName: 'Orders',
		trigger: {
			type: 'PIECE_TRIGGER',
			settings: { pieceName: '@activepieces/piece-webhook', input: { authType: 'none' } },
		},
	},
};

/** The bytes on the socket, which a parser would change. */
describe('what Flow → Run sends', () => {
	const hostile = useHostileServers();
	let call: { body: string; url: string; headers: Map<string, string> } | undefined;

	beforeEach(async () => {
		call = undefined;
		await hostile.start((response, request: IncomingMessage, body) => {
			response.setHeader('content-type', 'application/json');
			if (request.method === 'GET') return response.end(JSON.stringify(FLOW));
			const headers = new Map<string, string>();
			const { rawHeaders } = request;
			for (let index = 0; index < rawHeaders.length; index += 2) {
				headers.set(rawHeaders[index].toLowerCase(), rawHeaders[index + 1]);
			}
			call = { body, url: String(request.url), headers };
			return response.setHeader('x-webhook-id', 'call').end('{}');
		});
	});

	const options = (more: INodeParameters) => ({
		credential: hostile.credential,
		parameters: runFlow('flow', more),
		items: [{ order: 1 }],
	});
	const sent = async (more: INodeParameters) => {
		await hostile.engine.records(options(more));
		return call;
	};
	const refused = async (more: INodeParameters) => {
		const { message, description } = await hostile.engine.failure(options(more));
		expect(call).toBeUndefined();
		return { message, description };
	};
	const values = (...pairs: Array<[name: string, value: string]>) => ({
		values: pairs.map(([name, value]) => ({ name, value })),
	});

	test.each([
		['a number of more digits than JavaScript has', '{"id":12345678901234567890}'],
		['a number as it is written', '[1.0,1e2,-0]'],
		['space and order', '{ "b": 1,\n\t"a": 2 }'],
		['a name that comes twice', '{"a":1,"a":2}'],
		['a name that JavaScript has itself', '{"__proto__":{"a":1},"constructor":2}'],
		['JSON that is nothing', 'null'],
		['a text', '"hello"'],
	])('is the typed JSON: %s', async (_name, input) => {
		expect((await sent({ input }))?.body).toBe(input);
	});

	test.each([
		['={{ { when: new Date(0), none: undefined } }}', '{"when":"1970-01-01T00:00:00.000Z"}'],
		['={{ [null, "", 0, false] }}', '[null,"",0,false]'],
		['={{ {} }}', '{}'],
		['={{ 5 }}', '5'],
		['={{ { at: DateTime.fromMillis(0, { zone: "utc" }) } }}', '{"at":"1970-01-01T00:00:00.000Z"}'],
	])('is the value of an expression as JSON: %s', async (input, body) => {
		expect((await sent({ input }))?.body).toBe(body);
	});

	test('is the item by default, exactly as an expression gives it', async () => {
		const value = fc.oneof(
			fc.jsonValue(),
			fc.constant(undefined),
			fc.date({ noInvalidDate: true }),
			fc.bigInt(),
		);
		const item = fc.dictionary(fc.string(), value) as fc.Arbitrary<IDataObject>;
		await fc.assert(
			fc.asyncProperty(item, fc.boolean(), async (json, asTool) => {
				const bodies: Array<string | undefined> = [];
				// The default is taken from the item; n8n evaluates an expression that differs from it by a space.
				for (const input of [WHOLE_ITEM, '={{ $json  }}']) {
					await hostile.engine.records({ ...options({ input }), items: [json], asTool });
					bodies.push(call?.body);
				}
				expect(bodies[0]).toBe(bodies[1]);
			}),
			{ numRuns: 25 },
		);
	});

	test.each([
		['={{ NaN }}', 'NaN'],
		['={{ { price: [1, Number("x")] } }}', 'NaN'],
		['={{ { price: 1 / 0 } }}', 'Infinity'],
		['={{ Symbol("a") }}', 'a symbol'],
		['={{ [Symbol("a")] }}', 'a symbol'],
	])('is refused if JSON cannot hold it: %s', async (input, what) => {
		const { message, description } = await refused({ input });
		expect(message).toBe(`Input contains ${what}, which is not valid in JSON`);
		expect(description).toBe('Change the expression in Input. Nothing was sent.');
	});

	test('has the digits of a BigInt as text, as n8n itself writes it', async () => {
		const item = { id: BigInt('12345678901234567890') } as unknown as IDataObject;
		await hostile.engine.records({ ...options({}), items: [item] });
		expect(call?.body).toBe('{"id":"12345678901234567890"}');
	});

	test('has the header Accept of the person, otherwise that of the node', async () => {
		expect((await sent({}))?.headers.get('accept')).toBe('*/*');
		const headers = values(['accept', 'text/csv']);
		expect((await sent({ options: { headers } }))?.headers.get('accept')).toBe('text/csv');
	});

	test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
		'has a header and a query parameter with the name %s',
		async (name) => {
			const pair = values([name, 'a b&c']);
			const call = await sent({ options: { headers: pair, query: pair } });
			expect(call?.headers.get(name.toLowerCase())).toBe('a b&c');
			expect(new URL(`http://n8n.invalid${call?.url}`).searchParams.getAll(name)).toEqual([
				'a b&c',
			]);
		},
	);

	test('has a query parameter __proto__', async () => {
		const query = values(['__proto__', '1'], ['__proto__', '2'], ['a', 'ä +']);
		const call = await sent({ options: { query } });
		const { searchParams } = new URL(`http://n8n.invalid${call?.url}`);
		expect([...searchParams]).toEqual([
			['__proto__', '1'],
			['__proto__', '2'],
			['a', 'ä +'],
		]);
	});
});
