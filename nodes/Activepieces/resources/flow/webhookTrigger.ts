import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';
import { textOf } from '../../transport/values/textOf';
import { stepsOf } from './steps';

/** What starts a flow, as far as a call of its webhook meets something else (recorded). */
export type TriggerKind = 'empty' | 'webhook' | 'schedule' | 'manual' | 'subflow' | 'app';

const KINDS: Record<string, TriggerKind> = {
	'@activepieces/piece-webhook': 'webhook',
	'@activepieces/piece-schedule': 'schedule',
	'@activepieces/piece-manual-trigger': 'manual',
	'@activepieces/piece-subflows': 'subflow',
};

const settingsOf = ({ settings }: IDataObject): IDataObject => (isRecord(settings) ? settings : {});

/** What starts a flow, by the trigger of one of its versions. */
export function triggerKind(trigger: IDataObject): TriggerKind {
	if (trigger.type === 'EMPTY') return 'empty';
	return KINDS[textOf(settingsOf(trigger).pieceName)] ?? 'app';
}

/** The pieces whose actions answer the call that started the flow. */
const ANSWERING = ['@activepieces/piece-webhook', '@activepieces/piece-http'];

/** Whether a step of the flow, in a branch or a loop as well, is Return Response. */
export function hasResponse(trigger: IDataObject): boolean {
	return stepsOf(trigger).some((step) => {
		const { pieceName, actionName } = settingsOf(step);
		return (
			step.skip !== true &&
			ANSWERING.includes(textOf(pieceName)) &&
			textOf(actionName).startsWith('return_response')
		);
	});
}

/** The header by which the webhook of a flow knows its callers. */
export interface WebhookAuthentication {
	header: string;
	/** Nothing where the flow does not hold it itself, but a reference to it */
	value?: string;
}

/** A text that stands in the flow as it is; nothing for a reference to another place. */
const literal = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' && !value.includes('{{') ? value : undefined;

/** What the piece asks of its callers; nothing when it asks nothing. */
export function webhookAuthentication(trigger: IDataObject): WebhookAuthentication | undefined {
	const { input } = settingsOf(trigger);
	if (!isRecord(input) || triggerKind(trigger) !== 'webhook') return undefined;
	const fields = isRecord(input.authFields) ? input.authFields : {};
	if (input.authType === 'basic') {
		const [name, password] = [literal(fields.username), literal(fields.password)];
		const isKnown = name !== undefined && password !== undefined;
		return {
			header: 'Authorization',
			value: isKnown
				? `Basic ${Buffer.from(`${name}:${password}`, 'utf8').toString('base64')}`
				: undefined,
		};
	}
	const header = literal(fields.headerName);
	if (input.authType !== 'header' || header === undefined) return undefined;
	return { header, value: literal(fields.headerValue) };
}

/** The whole of a text is a reference to another place. */
const isReference = (value: unknown): boolean =>
	typeof value === 'string' && /^\s*\{\{[^{}]*\}\}\s*$/.test(value);

/**
 * Removes what the callers of a webhook have to know, where it stands in the flow itself. The trigger is not
 * complete then, which keeps the flow from being published until somebody has entered it again.
 */
export function removeWebhookSecrets(trigger: IDataObject): void {
	const { input } = settingsOf(trigger);
	if (!isRecord(input) || triggerKind(trigger) !== 'webhook' || !isRecord(input.authFields)) return;
	const fields = input.authFields;
	for (const name of Object.keys(fields)) {
		if (name === 'headerName' || isReference(fields[name]) || textOf(fields[name]) === '') continue;
		delete fields[name];
		if (input.authType !== 'none') trigger.valid = false;
	}
}
