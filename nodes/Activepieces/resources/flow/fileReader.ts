import type { IDataObject } from 'n8n-workflow';

import { isVisible } from '../../descriptions/parameters';
import { validationError } from '../../transport/errors/error';
import { describeValue, nameAndId, someOf } from '../../transport/texts';
import { isRecord, recordOf, textOf } from '../../transport/values';
import { acceptedContent, findExported, onlyOne, type Place } from '../importFile';
import { contentOf, type FlowContent } from './content';
import { stepsOf } from './flow';
import { fileIdOf } from './importMetadata';

const ACCEPTED_CONTENT = acceptedContent('flow');

const isContent = (value: unknown): value is IDataObject =>
	isRecord(value) && isRecord(value.trigger);

/**
 * Finds the flow in the output of Export, in a file of Activepieces' own export as written up to 0.73 or
 * since 0.74 (recorded), in a record of the API, which is also what Git Sync writes, in the body of an import, or on
 * its own.
 */
function findContent(value: unknown): IDataObject | undefined {
	if (!isRecord(value)) return undefined;
	const { flow, flows, template, version, request } = value;
	return [flow, onlyOne(flows), template, version, request, value].find(isContent);
}

/** In these, settings or what an old branch leads to, an object with a type and settings is no step of the flow */
const NOT_WALKED = ['settings', 'onSuccessAction', 'onFailureAction'];

/** The steps in a flow that no other step leads to, which the service leaves out without a word (recorded). */
function unreachableSteps(flow: IDataObject): IDataObject[] {
	const reached = new Set<unknown>(stepsOf(flow.trigger));
	const steps: IDataObject[] = [];
	// Not recursive, because each step of a flow is nested in the one before.
	const open: unknown[] = [flow];
	for (const each of open) {
		if (Array.isArray(each)) for (const entry of each) open.push(entry);
		if (!isRecord(each)) continue;
		const isStep = each !== flow && typeof each.type === 'string' && isRecord(each.settings);
		if (isStep && !reached.has(each)) steps.push(each);
		for (const [name, value] of Object.entries(each)) {
			if (!NOT_WALKED.includes(name)) open.push(value);
		}
	}
	return steps;
}

function assertReachable(flow: IDataObject, place: string): void {
	const steps = unreachableSteps(flow).map(({ displayName, name }) =>
		nameAndId(textOf(displayName) || textOf(name), textOf(name)),
	);
	if (steps.length === 0) return;
	throw validationError(
		`In ${place} no step leads to ${steps.length === 1 ? 'the step' : `${steps.length} steps:`} ${someOf(steps)}`,
		'Activepieces would leave it out. Put each step into nextAction of the step or trigger before it, firstLoopAction of a loop, or children of a router.',
	);
}

/** The flow in a file, and the ID by which other flows and files refer to it. */
interface FlowFile {
	content: FlowContent;
	/** Empty if the file has none */
	externalId: string;
}

/**
 * Reads the flow in the value of a field, or in the text of a file.
 *
 * @param place where it comes from, for messages
 * @param advice what to do if this is the wrong place, for the message that it has no flow
 * @throws {ValidationError} when there is none, or more than one
 */
export function readContent(held: unknown, place: Place, advice?: string): FlowFile {
	const kind = { noun: 'flow', part: 'trigger', find: findContent };
	const { value, found } = findExported(kind, held, place, advice);
	const content = contentOf(found, { withSecrets: true });
	if (typeof content.trigger.type !== 'string') {
		throw validationError(`The trigger of the flow in ${place} is not complete`, ACCEPTED_CONTENT);
	}
	assertReachable(found, place);
	const names = [content.displayName, textOf(value.name)];
	const displayName = names.find(isVisible);
	if (displayName === undefined) {
		throw validationError(
			`The flow in ${place} has no name`,
			`Add a name to ${place} as flow.displayName.`,
		);
	}
	const { schemaVersion } = content;
	if (schemaVersion !== null && !/^\d+$/.test(schemaVersion)) {
		throw validationError(
			`The schemaVersion in ${place} must be a whole number, not ${describeValue(schemaVersion)}`,
			ACCEPTED_CONTENT,
		);
	}
	const { metadata } = value;
	return {
		content: { ...content, displayName },
		// A template has it in its metadata (recorded).
		externalId: (fileIdOf(value) || textOf(recordOf(metadata).externalId)).trim(),
	};
}
