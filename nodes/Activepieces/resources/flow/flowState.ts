import type { IDataObject } from 'n8n-workflow';

import { ActivepiecesError } from '../../transport/errors/activepiecesError';
import { capitalised } from '../../transport/plainText';
import { isRecord } from '../../transport/isRecord';
import { textOf } from '../../transport/textOf';
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

/** Whether the latest version of a flow is the one that runs. */
export function isLatestPublished({ version, publishedVersionId }: IDataObject): boolean {
	const id = isRecord(version) ? textOf(version.id) : '';
	return id !== '' && id === publishedVersionId;
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
