import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';
import { textOf } from '../../transport/values/textOf';
import { stepsOf } from './steps';

/** The kinds of triggers, as far as they change what a call of the webhook does (recorded). */
export type TriggerKind = 'empty' | 'webhook' | 'schedule' | 'manual' | 'subflow' | 'app';

const KINDS: Record<string, TriggerKind> = {
	'@activepieces/piece-webhook': 'webhook',
	'@activepieces/piece-schedule': 'schedule',
	'@activepieces/piece-manual-trigger': 'manual',
	'@activepieces/piece-subflows': 'subflow',
};

const settingsOf = ({ settings }: IDataObject): IDataObject => (isRecord(settings) ? settings : {});

/** The kind of trigger of a version of a flow. */
export function triggerKind(trigger: IDataObject): TriggerKind {
	if (trigger.type === 'EMPTY') return 'empty';
	return KINDS[textOf(settingsOf(trigger).pieceName)] ?? 'app';
}

/** The pieces whose actions respond to the call that started the flow. */
const RESPONDING_PIECES = ['@activepieces/piece-webhook', '@activepieces/piece-http'];

/** Whether the flow has a Return Response step, including those in branches and loops. */
export function hasResponse(trigger: IDataObject): boolean {
	return stepsOf(trigger).some((step) => {
		const { pieceName, actionName } = settingsOf(step);
		return (
			step.skip !== true &&
			RESPONDING_PIECES.includes(textOf(pieceName)) &&
			textOf(actionName).startsWith('return_response')
		);
	});
}

/** The header by which the webhook of a flow authenticates its callers. */
export interface WebhookAuthentication {
	header: string;
	/** undefined when the flow contains a reference instead of the value */
	value?: string;
}

/** A text that the flow itself contains; undefined for a reference to another place. */
const literal = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' && !value.includes('{{') ? value : undefined;

/** What the trigger requires from its callers; undefined when it requires nothing. */
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

/** Whether the whole text is a reference to another place. */
const isReference = (value: unknown): boolean =>
	typeof value === 'string' && /^\s*\{\{[^{}]*\}\}\s*$/.test(value);

/**
 * Removes the secrets that callers of a webhook need, if the flow itself contains them. This makes the
 * trigger incomplete, so the flow cannot be published until somebody enters them again.
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
