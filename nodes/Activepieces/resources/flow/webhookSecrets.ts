/** The secrets that callers of a webhook need, which files of flows leave out. */
import type { IDataObject } from 'n8n-workflow';

import { isRecord, recordOf, textOf } from '../../transport/values';
import { triggerKind } from './flow';

/** Whether the whole text is a reference to another place. */
const isReference = (value: unknown): boolean =>
	typeof value === 'string' && /^\s*\{\{[^{}]*\}\}\s*$/.test(value);

/** Settings of a webhook's authentication that are no secrets */
const PUBLIC_SETTINGS = [
	'headerName',
	...['hmacHeaderName', 'hmacAlgorithm', 'hmacEncoding', 'hmacSignaturePrefix'],
];

/**
 * Removes the secrets that callers of a webhook need, if the flow itself contains them. This makes the
 * trigger incomplete, so the flow cannot be published until somebody enters them again.
 */
export function removeWebhookSecrets(trigger: IDataObject): void {
	const { input } = recordOf(trigger.settings);
	if (!isRecord(input) || triggerKind(trigger) !== 'webhook' || !isRecord(input.authFields)) return;
	const fields = input.authFields;
	for (const name of Object.keys(fields)) {
		const isPublic = PUBLIC_SETTINGS.includes(name) || isReference(fields[name]);
		if (isPublic || textOf(fields[name]) === '') continue;
		delete fields[name];
		if (input.authType !== 'none') trigger.valid = false;
	}
}

/** The secrets of each type of authentication, with their names in the app (read in the service's source). */
const SECRETS: Record<string, Array<[name: string, label: string]>> = {
	basic: [
		['username', 'Username'],
		['password', 'Password'],
	],
	header: [['headerValue', 'Header Value']],
	hmac: [['hmacSecret', 'Secret']],
};

/** The secrets that the trigger of a flow lacks, by their names in the app. */
export function missingSecrets(trigger: IDataObject): string[] {
	if (triggerKind(trigger) !== 'webhook') return [];
	const { authType, authFields } = recordOf(recordOf(trigger.settings).input);
	const secrets = SECRETS[textOf(authType)] ?? [];
	return secrets
		.filter(([name]) => textOf(recordOf(authFields)[name]) === '')
		.map(([, label]) => label);
}

const without = (record: unknown, ...names: string[]) =>
	Object.fromEntries(Object.entries(recordOf(record)).filter(([name]) => !names.includes(name)));

/**
 * A trigger without what differs once somebody has entered the secrets that its file leaves out: these, and the form of
 * their fields, which the app stores with them (read in the service's source).
 */
export function withoutEnteredSecrets(trigger: IDataObject): IDataObject {
	const settings = recordOf(trigger.settings);
	const input = recordOf(settings.input);
	const names = (SECRETS[textOf(input.authType)] ?? []).map(([name]) => name);
	const authFields = without(input.authFields, ...names);
	const propertySettings = without(settings.propertySettings, 'authFields');
	const entered = { ...settings, input: { ...input, authFields }, propertySettings };
	return { ...trigger, valid: false, settings: entered };
}
