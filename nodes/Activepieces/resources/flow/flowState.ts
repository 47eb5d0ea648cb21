import type { IDataObject } from 'n8n-workflow';

import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { isRecord } from '../../transport/values/isRecord';
import { capitalize } from '../../transport/values/plainText';
import { textOf } from '../../transport/values/textOf';
import { flowName } from './locator';

export type FlowStatus = 'ENABLED' | 'DISABLED';

/** The words for a status in messages. */
export const STATUS_NAMES: Record<FlowStatus, string> = {
	ENABLED: 'enabled',
	DISABLED: 'disabled',
};

/** The label of a flow in messages. */
export const labelOf = (flow: IDataObject): string =>
	`flow "${flowName(flow)}" (${textOf(flow.id)})`;

/** The status that a change in progress leads to; undefined when there is none. */
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

/** Whether the trigger of the latest version is not chosen yet. */
export function hasEmptyTrigger({ version }: IDataObject): boolean {
	return isRecord(version) && isRecord(version.trigger) && version.trigger.type === 'EMPTY';
}

const versionIdOf = ({ version }: IDataObject): string =>
	isRecord(version) ? textOf(version.id) : '';

/** Up to 0.73 null is an empty text (recorded). */
export const wasPublished = ({ publishedVersionId }: IDataObject): boolean =>
	textOf(publishedVersionId) !== '';

/** Whether the latest version of a flow is the one that runs. */
export const isLatestPublished = (flow: IDataObject): boolean =>
	wasPublished(flow) && versionIdOf(flow) === flow.publishedVersionId;

/**
 * Whether the latest version differs from the published one; false for a flow that was never published,
 * null when the record does not say it.
 */
export function hasUnpublishedChanges(flow: IDataObject): boolean | null {
	if (!wasPublished(flow)) return false;
	return versionIdOf(flow) === '' ? null : !isLatestPublished(flow);
}

/** The error for a flow in the wrong state for a change; nothing was changed then. */
export function flowStateError(
	flow: IDataObject,
	what: (flow: string) => string,
	whatToDo: string,
): ActivepiecesError {
	return new ActivepiecesError({
		message: capitalize(what(labelOf(flow))),
		description: `${whatToDo} Nothing was changed.`,
	});
}
