import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, type TestContext } from './service';

const piece = (pieceName: string, names: IDataObject, input: IDataObject = {}) => ({
	name: 'step',
	type: 'PIECE',
	settings: { pieceName: `@activepieces/piece-${pieceName}`, input, ...names },
});

/** What Return Response is set to. */
export interface Answer {
	status?: number;
	headers?: IDataObject;
	body?: unknown;
	responseType?: 'json' | 'raw' | 'redirect';
}

/** A trigger with Return Response behind it, or with nothing. */
export function stepsOf(kind: string, input: IDataObject = {}, answer?: Answer) {
	const { responseType = 'json', ...fields } = answer ?? {};
	const response = piece(
		'webhook',
		{ actionName: 'return_response' },
		{ responseType, fields: fields as IDataObject, respond: 'stop' },
	);
	return {
		...piece(
			kind,
			{ triggerName: 'catch_webhook' },
			{ authType: 'none', authFields: {}, ...input },
		),
		type: 'PIECE_TRIGGER',
		...(answer === undefined ? {} : { nextAction: response }),
	};
}

export const runFlow = (flowId: unknown, more: INodeParameters = {}): INodeParameters => ({
	resource: 'flow',
	operation: 'run',
	flowId: byId(flowId),
	input: '={{ $json }}',
	...more,
});

export const WAIT: INodeParameters = { waitForResponse: true };

/** The calls that came to webhooks. */
export const calls = ({ service }: TestContext) =>
	service.requests.filter(({ path }) => path.startsWith('/v1/webhooks/'));

/** Adds flows to the stand-in, and runs them. */
export function helpers(context: TestContext) {
	const add = (answer?: Answer, { kind = 'webhook', input = {} } = {}) =>
		context.service.live.addFlow({
			name: 'Orders',
			enabled: true,
			steps: stepsOf(kind, input, answer),
		});
	const records = async (parameters: INodeParameters, items?: IDataObject[]) =>
		await context.engine.records({ credential: context.credential, parameters, items });
	const failure = async (parameters: INodeParameters) =>
		await context.engine.failure({
			credential: context.credential,
			parameters,
			items: [{ order: 1 }],
		});
	return { add, records, failure };
}
