import type { IDataObject } from 'n8n-workflow';

import {
	inBrackets,
	lowerCase,
	nameOf,
	type Locator,
	type OptionList,
	type ProjectLists,
} from '../../descriptions/locator';
import type { Simplify } from '../../descriptions/output';
import { recordUrl } from '../../descriptions/webApp';
import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import type { ApiRequest, Endpoint, RequestTarget } from '../../transport/client/request';
import type { ResponseRule } from '../../transport/errors/rule';
import { nameAndId, plainText, unended } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import { projectNameOf } from '../project/project';
import { fileIdOf } from './importMetadata';

/** The first line of the output of a trigger that could not be started: a sentence or nothing. */
function triggerOutput(output: unknown): string {
	const [line] = textOf(output).trim().split('\n');
	const shown = unended(plainText(line, 200));
	return shown && `Activepieces says: ${shown}. `;
}

/** For changes of a flow, which its state may not allow. */
export const CHANGE_RULES: ResponseRule[] = [
	{
		status: 'badRequest',
		code: 'TRIGGER_UPDATE_STATUS',
		message: ({ record }) => `Activepieces could not start or stop the trigger of ${record}`,
		description: (_words, { response: { params } }) =>
			`${triggerOutput(params.standardError)}Check the trigger and its connection in Activepieces.`,
	},
	// From 0.85 on (recorded)
	{
		status: 'notFound',
		says: /^Trigger not found for piece undefined@/,
		message: ({ record }) => `The published version of ${record} has no trigger`,
		description: 'Publish a version that has one.',
	},
	// Without the piece of a step up to 0.79, and without that version of the trigger's piece from 0.85 on (recorded).
	{
		status: 'notFound',
		says: /^(?:piece_metadata_not_found|Trigger not found for piece)\b/,
		message: ({ record }) =>
			`A piece of ${record} is not installed on this Activepieces server, or not in the version that the flow uses`,
		description: ({ quoted }) =>
			`${quoted}Install the piece in Activepieces, or update the step in the flow.`,
	},
	// Later than 0.92.0 (read in the service's source).
	{
		status: 'badRequest',
		code: 'REQUIRED_ACTIONS_MISSING',
		message: ({ recordAtStart }) =>
			`${recordAtStart} was not published, because actions that the platform requires are missing`,
		description: ({ quoted }) =>
			`${quoted}Add steps with these actions in Activepieces, and do not skip them.`,
	},
	{
		status: 'internalServerError',
		message: ({ record }) => `Activepieces could not change ${record} (HTTP 500)`,
		description: ({ quoted }) => `${quoted}The cause is on the server. Check its log.`,
	},
	{
		status: 'conflict',
		code: 'FLOW_IN_USE',
		message: ({ record }) => `Another user is editing ${record}`,
		description: 'Run the node again one minute after the last edit.',
	},
	{
		status: 'conflict',
		code: 'FLOW_OPERATION_IN_PROGRESS',
		message: ({ record }) => `Another change to ${record} is in progress`,
		description:
			'Run the node again in a moment. If this continues, check that an Activepieces worker is running.',
	},
];

/** Lists the flows of a project, each with its latest version. */
export const LIST_FLOWS: ApiRequest = {
	endpoint: {
		method: 'GET',
		path: '/v1/flows',
		worksOn073: true,
		hasLargeRecords: true,
	},
	subject: { noun: 'flows' },
};

/** Returns a flow with its latest version, which is a draft after an edit (recorded). */
export const GET_FLOW: Endpoint = { method: 'GET', path: '/v1/flows/{id}' };

export const fetchFlow = async (client: ApiClient, { id, subject }: RequestTarget) =>
	await client.requestRecord({ endpoint: GET_FLOW, id, subject });

export const CHANGE_FLOW: Endpoint = {
	method: 'POST',
	path: '/v1/flows/{id}',
	rules: CHANGE_RULES,
};

/** All steps of a flow. Not recursive, because each step is nested in the one before. */
export function stepsOf(trigger: unknown): IDataObject[] {
	const steps = [trigger];
	for (const step of steps) {
		if (!isRecord(step)) continue;
		// The next step, the first one of a loop, those after a success or a failure (observed at 0.85.2), and the
		// branches of a router.
		const { onSuccess, onFailure } = recordOf(step.continueOnFailureBranches);
		steps.push(step.nextAction, step.firstLoopAction, onSuccess, onFailure);
		// One by one, because arguments use the stack.
		if (Array.isArray(step.children)) for (const branch of step.children) steps.push(branch);
	}
	return steps.filter(isRecord);
}

/** The kinds of triggers, as far as they change what a call of the webhook does (recorded). */
export type TriggerKind = 'empty' | 'webhook' | 'schedule' | 'manual' | 'subflow' | 'app';

const KINDS: Record<string, TriggerKind> = {
	'@activepieces/piece-webhook': 'webhook',
	'@activepieces/piece-schedule': 'schedule',
	'@activepieces/piece-manual-trigger': 'manual',
	'@activepieces/piece-subflows': 'subflow',
};

export function triggerKind(trigger: IDataObject): TriggerKind {
	if (trigger.type === 'EMPTY') return 'empty';
	return KINDS[textOf(recordOf(trigger.settings).pieceName)] ?? 'app';
}

/** What a run has to say of several flows. */
interface SharedHint {
	labels: Set<string>;
	names: Set<string>;
	text: () => string;
}

/**
 * Says something of flows once for all of the run.
 *
 * @param key what is said, and of which project
 * @param names what is said of the flow, such as what it lacks
 * @param textFor the text about flows, with their labels and all names
 */
export function hintAtFlow(
	{ client, showHint }: OperationContext,
	key: string,
	{ flow, names = [] }: { flow: IDataObject; names?: string[] },
	textFor: (labels: string[], names: string[]) => string,
): void {
	const hint = client.cached(key, (): SharedHint => {
		const [labels, all] = [new Set<string>(), new Set<string>()];
		return { labels, names: all, text: () => textFor([...labels], [...all]) };
	});
	hint.labels.add(labelOf(flow));
	for (const name of names) hint.names.add(name);
	showHint(hint.text);
}

export type FlowStatus = 'ENABLED' | 'DISABLED';

export const labelOf = (flow: IDataObject) => `flow ${nameAndId(flowName(flow), textOf(flow.id))}`;

/** Whether Activepieces deletes the flow, which ends later, and without a worker never (recorded). */
export const isDeleting = ({ operationStatus }: IDataObject) => operationStatus === 'DELETING';

export const statusOf = (flow: IDataObject) => (isDeleting(flow) ? 'DELETING' : flow.status);

/** The message about a flow that is being deleted, and its description. */
export const deletingTexts = (flow: IDataObject) =>
	[
		`${labelOf(flow)} is being deleted`,
		'It can only be read until it is gone. If it stays, check that an Activepieces worker is running.',
	] as const;

export function pendingStatus({ operationStatus }: IDataObject): FlowStatus | undefined {
	if (operationStatus === 'ENABLING') return 'ENABLED';
	return operationStatus === 'DISABLING' ? 'DISABLED' : undefined;
}

/**
 * Whether a change is in progress. Up to 0.79 its mark may also stay after the change, together with the
 * status that it led to (recorded).
 */
export function isChanging(flow: IDataObject): boolean {
	const pending = pendingStatus(flow);
	return pending !== undefined && pending !== flow.status;
}

export const versionOf = ({ version }: IDataObject) => recordOf(version);

export const triggerOf = (flow: IDataObject) => recordOf(versionOf(flow).trigger);

export const hasEmptyTrigger = (flow: IDataObject): boolean => triggerOf(flow).type === 'EMPTY';

/** Up to 0.73 null is an empty text (recorded). */
export const wasPublished = ({ publishedVersionId }: IDataObject): boolean =>
	textOf(publishedVersionId) !== '';

export const isLatestPublished = (flow: IDataObject): boolean =>
	wasPublished(flow) && versionOf(flow).id === flow.publishedVersionId;

function piecesOf(trigger: IDataObject): string[] {
	const pieces = new Set<string>();
	for (const step of stepsOf(trigger)) {
		const { pieceName } = recordOf(step.settings);
		if (typeof pieceName === 'string' && pieceName !== '') pieces.add(pieceName);
	}
	return [...pieces].sort();
}

/**
 * The fields of a flow that a person acts on, flat. Missing fields are null. Left out are fields that a
 * filter or a message covers: the folder, the connections, and whether the steps are complete, which
 * Publish reports. The name of the trigger is left out because it is one of the pieces.
 */
export const simplifyFlow: Simplify = (flow, source) => {
	const version = versionOf(flow);
	// False for a flow that was never published, null when the record does not have a version.
	const isChanged =
		wasPublished(flow) && (textOf(version.id) === '' ? null : !isLatestPublished(flow));
	return {
		name: version.displayName ?? null,
		status: statusOf(flow) ?? null,
		published: wasPublished(flow),
		unpublishedChanges: isChanged,
		projectName: projectNameOf(flow, source),
		pieces: piecesOf(triggerOf(flow)),
		updated: flow.updated ?? null,
		url: recordUrl(source?.baseUrl, 'flow', flow),
		projectId: flow.projectId ?? null,
		id: flow.id ?? null,
	};
};

/**
 * The same fields of a flow of which only the published version was requested, so that the latest one is
 * not known.
 */
export const simplifyPublishedFlow: Simplify = (flow, source) => ({
	...simplifyFlow(flow, source),
	unpublishedChanges: null,
});

export const flowName = (flow: IDataObject): string => nameOf({ ...versionOf(flow), id: flow.id });

/** What starts a flow, for labels: it shows whether the flow can be run with an input. */
const START_WORDS: Record<TriggerKind, string> = {
	empty: 'no trigger',
	webhook: 'webhook',
	schedule: 'schedule',
	manual: 'manual',
	subflow: 'subflow',
	app: 'app event',
};

const startWord = (flow: IDataObject): string => START_WORDS[triggerKind(triggerOf(flow))];

/** Most flows are enabled, so labels show the others. */
function statusWord(flow: IDataObject): string {
	const status = statusOf(flow);
	return status === 'ENABLED' ? '' : lowerCase(status);
}

const flowOptionLists: ProjectLists = {
	request: LIST_FLOWS,
	label: (flow, project) => flowName(flow) + inBrackets(statusWord(flow), project.name),
	isOfChosenProject: true,
};

export const flowLocator: Locator = {
	name: 'flowId',
	displayName: 'Flow',
	noun: 'flow',
	description: 'The flow to operate on. The list shows the flows of all projects.',
	required: true,
	page: 'flow',
	byName: (flow) => versionOf(flow).displayName,
	byExternalId: (flow) => [fileIdOf(flow), flow.externalId],
	searchMethod: 'searchFlows',
	sources: {
		request: LIST_FLOWS,
		// The editor shows about 50 characters, so the project comes last.
		label: (flow, project) =>
			flowName(flow) + inBrackets(statusWord(flow), startWord(flow), project.name),
		search: { parameter: 'name', labelWords: ['disabled', ...Object.values(START_WORDS)] },
	},
};

export const flowOptions: OptionList = {
	noun: 'flow',
	loadMethod: 'getFlows',
	byName: (flow) => versionOf(flow).displayName,
	sources: flowOptionLists,
};

export const flowExternalIdOptions: OptionList = {
	...flowOptions,
	loadMethod: 'getFlowExternalIds',
	byExternalId: ({ externalId }) => [externalId],
	sources: { ...flowOptionLists, value: ({ externalId }) => externalId },
};
