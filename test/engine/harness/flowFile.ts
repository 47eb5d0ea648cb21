import type { IDataObject } from 'n8n-workflow';

/** The webhook piece, in a version that is available on servers that install pieces themselves. */
export const WEBHOOK_PIECE = { pieceName: '@activepieces/piece-webhook', pieceVersion: '0.1.29' };

/** The trigger of a webhook in the file of a flow, with its authentication. */
export const webhookTrigger = (authType = 'none', authFields: IDataObject = {}): IDataObject => ({
	name: 'trigger',
	valid: true,
	displayName: 'Catch Webhook',
	type: 'PIECE_TRIGGER',
	settings: {
		...WEBHOOK_PIECE,
		triggerName: 'catch_webhook',
		input: { authType, authFields },
		propertySettings: {},
	},
});

/** The content of a flow with a webhook and one step, in the format that every release reads. */
export const flowFile = (
	displayName: string,
	step: { type: string; settings: IDataObject },
): IDataObject => ({
	displayName,
	trigger: {
		...webhookTrigger(),
		nextAction: { name: 'step_1', valid: true, skip: false, displayName: 'Step 1', ...step },
	},
	schemaVersion: '10',
	notes: [],
});

export const SLACK = { pieceName: '@activepieces/piece-slack', pieceVersion: '0.12.1' };

/** The content of a flow that sends a message with Slack, by default in an installed version of the piece. */
export const slackFlow = (displayName: string, input: IDataObject = {}, piece = SLACK) =>
	flowFile(displayName, {
		type: 'PIECE',
		settings: { ...piece, actionName: 'send_channel_message', input, propertySettings: {} },
	});
