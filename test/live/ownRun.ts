import { byId } from '../engine/harness/byId';
import { type LiveContext, runNode, runNodeToEnd } from './context';
import type { DirectApi } from './directApi';
import { type Finding, Mismatch } from './outcome';
import { FOLDER_PREFIX } from './ownNames';

const ANSWER = { n8n: 'live' };

const PIECE_NAME = '@activepieces/piece-webhook';

/** Which a server has that installs pieces by itself, and does not say which version it has. */
const USUAL_VERSION = '0.1.29';

/** A flow that does nothing but answer. */
const contentWith = (piece: { pieceName: string; pieceVersion: string }) => ({
	displayName: `${FOLDER_PREFIX}run`,
	trigger: {
		name: 'trigger',
		valid: true,
		displayName: 'Catch Webhook',
		type: 'PIECE_TRIGGER',
		settings: {
			...piece,
			triggerName: 'catch_webhook',
			input: { authType: 'none', authFields: {} },
			propertySettings: {},
		},
		nextAction: {
			name: 'step_1',
			valid: true,
			skip: false,
			displayName: 'Return Response',
			type: 'PIECE',
			settings: {
				...piece,
				actionName: 'return_response',
				input: {
					responseType: 'json',
					respond: 'stop',
					fields: { status: 200, headers: {}, body: ANSWER },
				},
				propertySettings: {},
				errorHandlingOptions: {
					continueOnFailure: { value: false },
					retryOnFailure: { value: false },
				},
			},
		},
	},
	schemaVersion: '10',
	notes: [],
});

/**
 * Publishes a flow that answers, and runs it. Without a worker, or without the piece, there is nothing to run.
 *
 * @throws Mismatch when it gives another answer
 */
export async function checkRun(
	context: LiveContext,
	flowId: string,
	api: DirectApi,
): Promise<Finding> {
	const here = { resource: 'flow', flowId: byId(flowId) };
	// A server that is not connected to the internet has those versions only that somebody uploaded.
	const pieceVersion = (await api.pieceVersion(PIECE_NAME)) ?? USUAL_VERSION;
	const content = JSON.stringify(contentWith({ pieceName: PIECE_NAME, pieceVersion }));
	await runNode(context, { ...here, operation: 'import', mode: 'replace', content });
	const { error: unpublished } = await runNodeToEnd(context, { ...here, operation: 'publish' });
	if (unpublished !== undefined) {
		return { result: 'not tried', details: 'the server could not publish a flow that answers' };
	}
	const run = { ...here, operation: 'run', waitForResponse: true, input: '{}' };
	const { items, error } = await runNodeToEnd(context, run);
	if (error?.message.includes('returned no response within')) {
		return { result: 'not tried', details: 'the call was accepted, and no worker ran the flow' };
	}
	if (error !== undefined) throw error;
	if (JSON.stringify(items.map(({ json }) => json)) !== JSON.stringify([ANSWER])) {
		throw new Mismatch('The flow gave another answer');
	}
	return { result: 'works', details: 'run, and its answer read' };
}
