import type { TriggerEvent } from '../event';
import { connectionNeedsAttention } from './connectionNeedsAttention.event';
import { flowCreated, flowPublished, flowStatusChanged } from './flow.events';
import { flowRunFailed, flowRunSucceeded } from './flowRun.events';
import { platformEvent } from './platformEvent.event';
import { queueBacklog } from './queueBacklog.event';
import { recordCreated, recordWritten } from './tableRecord.events';
import { userInvitationCreated, userJoined } from './user.events';

/** The events, sorted by name, as n8n requires for lists of five and more. */
export const events: TriggerEvent[] = [
	platformEvent,
	connectionNeedsAttention,
	flowCreated,
	flowPublished,
	flowRunFailed,
	flowRunSucceeded,
	flowStatusChanged,
	queueBacklog,
	recordCreated,
	recordWritten,
	userInvitationCreated,
	userJoined,
].sort((a, b) => (a.name < b.name ? -1 : 1));
