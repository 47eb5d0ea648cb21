import type { IDataObject } from 'n8n-workflow';

/** The piece of webhooks, in a version that servers have which install pieces by themselves. */
export const WEBHOOK_PIECE = { pieceName: '@activepieces/piece-webhook', pieceVersion: '0.1.29' };

/** The trigger of a webhook as the file of a flow has it, with what it asks its callers for. */
export const webhookTrigger = (
	authType = 'none',
	authFields: IDataObject = {},
	nextAction?: IDataObject,
): IDataObject => ({
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
	...(nextAction && { nextAction }),
});

/** The content of a flow with one step behind its webhook; of the schema that every release reads. */
export const flowFile = (
	displayName: string,
	step: { type: string; settings: IDataObject },
): IDataObject => ({
	displayName,
	trigger: webhookTrigger(
		'none',
		{},
		{ name: 'step_1', valid: true, skip: false, displayName: 'Step 1', ...step },
	),
	schemaVersion: '10',
	notes: [],
});
