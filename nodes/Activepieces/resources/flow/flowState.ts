import type { IDataObject } from 'n8n-workflow';

import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { isRecord } from '../../transport/values/isRecord';
import { capitalised } from '../../transport/values/plainText';
import { textOf } from '../../transport/values/textOf';
import { flowName } from './locator';

export type FlowStatus = 'ENABLED' | 'DISABLED';

/** How messages speak of a status. */
export const STATUS_NAMES: Record<FlowStatus, string> = {
	ENABLED: 'enabled',
	DISABLED: 'disabled',
};

/** What messages call a flow. */
export const labelOf = (flow: IDataObject): string =>
	`flow "${flowName(flow)}" (${textOf(flow.id)})`;

/** The status that a change under way leads to; nothing when none is. */
export function pendingStatus({ operationStatus }: IDataObject): FlowStatus | undefined {
	if (operationStatus === 'ENABLING') return 'ENABLED';
	return operationStatus === 'DISABLING' ? 'DISABLED' : undefined;
}

/** Up to 0.79 the mark of a change may also stay for ever, beside the status that it led to (recorded). */
export function isChanging(flow: IDataObject): boolean {
	const pending = pendingStatus(flow);
	return pending !== undefined && pending !== flow.status;
}

/** The trigger of the latest version is still to be chosen. */
export function hasEmptyTrigger({ version }: IDataObject): boolean {
	return isRecord(version) && isRecord(version.trigger) && version.trigger.type === 'EMPTY';
}

const versionIdOf = ({ version }: IDataObject): string =>
	isRecord(version) ? textOf(version.id) : '';

/** Releases up to 0.73 write null as an empty text (recorded). */
export const wasPublished = ({ publishedVersionId }: IDataObject): boolean =>
	textOf(publishedVersionId) !== '';

/** Whether the latest version of a flow is the one that runs. */
export const isLatestPublished = (flow: IDataObject): boolean =>
	wasPublished(flow) && versionIdOf(flow) === flow.publishedVersionId;

/**
 * Whether the latest version is another one than the published one; false for a flow that was never
 * published, and null where the record does not tell.
 */
export function hasUnpublishedChanges(flow: IDataObject): boolean | null {
	if (!wasPublished(flow)) return false;
	return versionIdOf(flow) === '' ? null : !isLatestPublished(flow);
}

/** The error for a flow that is not in a state for a change; nothing was changed then. */
export function flowStateError(
	flow: IDataObject,
	what: (flow: string) => string,
	whatToDo: string,
): ActivepiecesError {
	return new ActivepiecesError({
		message: capitalised(what(labelOf(flow))),
		description: `${whatToDo} Nothing was changed.`,
	});
}
