import type { IDataObject } from 'n8n-workflow';

import type { RequestTarget } from '../../transport/client/request';
import type { ApiClient } from '../../transport/api/client';
import { validationError } from '../../transport/errors/error';
import { capitalize, isRecord, recordOf, textOf } from '../../transport/values';
import {
	deletingTexts,
	fetchFlow,
	fetchPublishedVersion,
	flowName,
	isDeleting,
	labelOf,
	stepsOf,
	type TriggerKind,
	triggerKind,
	triggerOf,
	wasPublished,
} from './flow';

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

/** A text that the flow itself contains; undefined for a reference to another place. */
const literal = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' && !value.includes('{{') ? value : undefined;

/** The header that a webhook requires; its value is undefined for a reference, and `form` says how it is made. */
function webhookAuthentication(trigger: IDataObject) {
	const { input } = recordOf(trigger.settings);
	if (!isRecord(input) || triggerKind(trigger) !== 'webhook') return undefined;
	const fields = recordOf(input.authFields);
	if (input.authType === 'basic') {
		const [name, password] = [literal(fields.username), literal(fields.password)];
		const isKnown = name !== undefined && password !== undefined;
		return {
			header: 'Authorization',
			value: isKnown
				? `Basic ${Buffer.from(`${name}:${password}`, 'utf8').toString('base64')}`
				: undefined,
			form: BASIC_FORM,
		};
	}
	const header = literal(fields.headerName);
	if (input.authType !== 'header' || header === undefined) return undefined;
	return { header, value: literal(fields.headerValue), form: '' };
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
				'Publish it first, for example with Flow > Publish. To run the latest version instead, set Version to Latest (Test Run) under Options.',
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
	await client.once(
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
 * Checks that a call has the header that the webhook requires. Without it the service responds with 200,
 * and runs nothing, or runs the flow with an empty input (recorded).
 */
export function assertAuthenticated(
	{ label, authentication }: RunnableFlow,
	headers: Record<string, string>,
): void {
	if (authentication === undefined) return;
	const { header, value, form } = authentication;
	const sent = Object.entries(headers).find(([name]) => name === header.toLowerCase())?.[1];
	const [what, whatToDo] =
		sent === undefined
			? ['requires', 'Add it under Options > Headers.']
			: ['does not accept the value of', 'Change it under Options > Headers.'];
	if (sent !== undefined && (value === undefined || value === sent)) return;
	throw cannotRun(
		`The webhook of ${label} ${what} the header ${header}`,
		`${whatToDo} ${form}Otherwise Activepieces accepts the call, but does not run the flow with its input.`,
	);
}
