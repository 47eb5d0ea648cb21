import { createHmac } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/api/client';
import type { RequestTarget } from '../../transport/client/request';
import { validationError } from '../../transport/errors/error';
import { capitalize } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import {
	deletingTexts,
	fetchFlow,
	flowName,
	isDeleting,
	labelOf,
	stepsOf,
	triggerKind,
	triggerOf,
	wasPublished,
	type TriggerKind,
} from './flow';
import { fetchPublishedVersion } from './versions';

/** The pieces whose actions respond to the call that started the flow. */
const RESPONDING_PIECES = ['@activepieces/piece-webhook', '@activepieces/piece-http'];

function hasResponse(trigger: IDataObject): boolean {
	return stepsOf(trigger).some((step) => {
		const { pieceName, actionName } = recordOf(step.settings);
		return (
			step.skip !== true &&
			RESPONDING_PIECES.includes(textOf(pieceName)) &&
			textOf(actionName).startsWith('return_response')
		);
	});
}

const BASIC_FORM =
	'Its value is Basic, a space, and user:password in Base64, for example {{ "Basic " + "user:password".base64Encode() }}. ';

/** A secret that a server shows as stars */
const MASKED = /^(?:[*•]{3,}|\*\*REDACTED\*\*)$/;

/** A text that the flow itself contains; undefined for a reference to another place, and for a masked secret. */
const literal = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' && !value.includes('{{') && !MASKED.test(value)
		? value
		: undefined;

/** How a webhook checks its calls. */
interface Authentication {
	header: string;
	/** The value that it accepts for a body; undefined if only another place knows it */
	valueFor?: (json: string) => string;
	/** How the value is made: a sentence, or nothing */
	form: string;
	/** Whether the node adds the header itself */
	isSigned?: true;
}

const ALGORITHMS = ['sha1', 'sha256', 'sha512'];
const ENCODINGS = ['hex', 'base64'] as const;

/** The webhook signs the body as it arrives, and compares that with the header (read in the service's source). */
function signature({ hmacSecret, ...fields }: IDataObject): Authentication {
	const header = literal(fields.hmacHeaderName) ?? '';
	const secret = literal(hmacSecret);
	const algorithm = textOf(fields.hmacAlgorithm) || 'sha256';
	const encoding = ENCODINGS.find((each) => each === (textOf(fields.hmacEncoding) || 'hex'));
	const prefix = textOf(fields.hmacSignaturePrefix);
	const isKnown = secret !== undefined && header !== '' && !prefix.includes('{{');
	const valueFor =
		isKnown && encoding !== undefined && ALGORITHMS.includes(algorithm)
			? (json: string) => prefix + createHmac(algorithm, secret).update(json).digest(encoding)
			: undefined;
	const form =
		'Its value is the HMAC signature of the input, for which the node cannot read the settings. ';
	return { header, valueFor, form, isSigned: true };
}

/** The header that a webhook requires. */
function webhookAuthentication(trigger: IDataObject): Authentication | undefined {
	const { input } = recordOf(trigger.settings);
	if (!isRecord(input) || triggerKind(trigger) !== 'webhook') return undefined;
	const fields = recordOf(input.authFields);
	if (input.authType === 'hmac') return signature(fields);
	if (input.authType === 'basic') {
		const [name, password] = [literal(fields.username), literal(fields.password)];
		const isKnown = name !== undefined && password !== undefined;
		const value = `Basic ${Buffer.from(`${name}:${password}`, 'utf8').toString('base64')}`;
		return {
			header: 'Authorization',
			valueFor: isKnown ? () => value : undefined,
			form: BASIC_FORM,
		};
	}
	const header = literal(fields.headerName);
	if (input.authType !== 'header' || header === undefined) return undefined;
	const value = literal(fields.headerValue);
	return { header, valueFor: value === undefined ? undefined : () => value, form: '' };
}

export type RunVersion = 'published' | 'draft';

const cannotRun = (message: string, whatToDo: string) =>
	validationError(capitalize(message), whatToDo);

/** What is known of a flow before its webhook is called. */
async function fetchVersion(client: ApiClient, target: RequestTarget, version: RunVersion) {
	const latest = await fetchFlow(client, target);
	// Its webhook may still respond, and its runs are deleted with it (recorded).
	if (isDeleting(latest)) throw cannotRun(...deletingTexts(latest));
	const label = labelOf(latest);
	let flow = latest;
	if (version === 'published') {
		if (!wasPublished(latest)) {
			throw cannotRun(
				`${label} has never been published`,
				'Publish it first, for example with Flow > Publish. To run the latest version instead, set the option Version to Latest (Test Run).',
			);
		}
		if (latest.status !== 'ENABLED') {
			throw cannotRun(
				`${label} is disabled`,
				'Enable it first, for example with Flow > Enable or Disable.',
			);
		}
		flow = await fetchPublishedVersion(client, target, latest);
	}
	const trigger = triggerOf(flow);
	return {
		label,
		name: flowName(latest),
		version,
		projectId: textOf(latest.projectId),
		isEnabled: latest.status === 'ENABLED',
		kind: triggerKind(trigger),
		hasResponse: hasResponse(trigger),
		authentication: webhookAuthentication(trigger),
	};
}

export type RunnableFlow = Awaited<ReturnType<typeof fetchVersion>>;

/**
 * Reads a flow once for all input items that name it.
 *
 * @throws {ActivepiecesError} when the flow does not run: the service responds to its calls with 404 and
 * 410 without a reason, or with 200 and runs nothing (recorded)
 */
export const fetchRunnableFlow = async (
	client: ApiClient,
	target: RequestTarget,
	version: RunVersion,
) =>
	await client.cached(
		`${version} flow ${textOf(target.id)}`,
		async () => await fetchVersion(client, target, version),
	);

/** A note for a flow that runs without the input that it is sent (recorded); undefined for the others. */
export function droppedInputNote({ label, kind }: RunnableFlow): string | undefined {
	if (kind !== 'schedule' && kind !== 'manual') return undefined;
	return capitalize(`${label} ${NEVER_ANSWERS[kind]}, so it runs without the input`);
}

/** Why flows of a kind never respond to the call that started them (recorded). */
const NEVER_ANSWERS: Record<Exclude<TriggerKind, 'empty' | 'webhook'>, string> = {
	schedule: 'starts on a schedule',
	manual: 'starts manually',
	subflow: 'starts as a subflow',
	app: 'starts on an app event',
};

/** Checks that a flow keeps the headers of its call, by which its run is found: other triggers drop them (recorded). */
export function assertKeepsHeaders({ label, kind }: RunnableFlow): void {
	if (kind === 'webhook' || kind === 'empty') return;
	throw cannotRun(
		`${label} ${NEVER_ANSWERS[kind]}, so the end of its run cannot be awaited`,
		'Its runs keep no headers, by which the node finds the run of its call. Turn off Wait for the End, or start the flow with Catch Webhook.',
	);
}

const DO_NOT_WAIT =
	'Turn off Wait for Response, or start the flow with Catch Webhook and end it with Return Response.';

export function assertRuns(
	{ label, version, isEnabled, kind, hasResponse: answers }: RunnableFlow,
	isWaiting: boolean,
): void {
	if (kind === 'empty') {
		throw cannotRun(
			`${label} has no trigger`,
			'Add a trigger in Activepieces and publish the flow.',
		);
	}
	if (!isWaiting) {
		if (version === 'published' || isEnabled) return;
		// The service responds with 200 and runs nothing (recorded).
		throw cannotRun(
			`${label} is not enabled, and its latest version runs only with Wait for Response`,
			'Turn on Wait for Response, or publish and enable the flow.',
		);
	}
	if (kind !== 'webhook') {
		throw cannotRun(
			`${label} ${NEVER_ANSWERS[kind]}, so it does not return a response`,
			kind === 'subflow'
				? `${DO_NOT_WAIT} A subflow sends its response to the callbackUrl in its input.`
				: DO_NOT_WAIT,
		);
	}
	if (!answers) throw cannotRun(`${label} has no Return Response step`, DO_NOT_WAIT);
}

/**
 * The headers of a call with those that the webhook requires. Without them the service responds with 200, and runs
 * nothing, or runs the flow with an empty input (recorded).
 *
 * @throws {ActivepiecesError} when one is missing, or has another value
 */
export function authenticated(
	{ label, authentication }: RunnableFlow,
	headers: Record<string, string>,
	json: string,
): Record<string, string> {
	if (authentication === undefined) return headers;
	const { header, valueFor, form, isSigned } = authentication;
	const name = header.toLowerCase();
	const sent = headers[name] as string | undefined;
	const value = valueFor?.(json);
	if (sent === undefined && isSigned && value !== undefined) return { ...headers, [name]: value };
	const [problem, whatToDo] =
		sent === undefined
			? ['requires', 'Add it under Headers.']
			: ['does not accept the value of', 'Change it under Headers.'];
	if (sent !== undefined && (value === undefined || value === sent)) return headers;
	throw cannotRun(
		`The webhook of ${label} ${problem} the header ${header}`,
		`${whatToDo} ${form}Otherwise Activepieces accepts the call, but does not run the flow with its input.`,
	);
}
