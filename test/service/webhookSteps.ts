import type { IDataObject } from 'n8n-workflow';

/** A step with all fields without which Activepieces does not import it. */
const piece = (
	[name, displayName]: [string, string],
	pieceName: string,
	names: IDataObject,
	input: IDataObject = {},
) => ({
	name,
	valid: true,
	displayName,
	type: 'PIECE',
	settings: {
		pieceName: `@activepieces/piece-${pieceName}`,
		pieceVersion: '0.1.24',
		propertySettings: {},
		input,
		...names,
	},
});

/** The settings of Return Response. */
export interface Answer {
	status?: number;
	headers?: IDataObject;
	body?: unknown;
	responseType?: 'json' | 'raw' | 'redirect';
}

/** A trigger, with or without a Return Response after it. */
export function stepsOf(kind: string, input: IDataObject = {}, answer?: Answer) {
	const { responseType = 'json', ...fields } = answer ?? {};
	const response = piece(
		['step_1', 'Return Response'],
		'webhook',
		{ actionName: 'return_response' },
		{ responseType, fields: fields as IDataObject, respond: 'stop' },
	);
	return {
		...piece(
			['trigger', 'Catch Webhook'],
			kind,
			{ triggerName: 'catch_webhook' },
			{ authType: 'none', authFields: {}, ...input },
		),
		type: 'PIECE_TRIGGER',
		...(answer === undefined ? {} : { nextAction: response }),
	};
}
