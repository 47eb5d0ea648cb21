import type { TriggerEvent } from '../event';
import { connectionNeedsAttention } from './connectionNeedsAttention.event';
import { flowCreated } from './flowCreated.event';
import { flowPublished } from './flowPublished.event';
import { flowRunFailed } from './flowRunFailed.event';
import { flowRunSucceeded } from './flowRunSucceeded.event';
import { flowStatusChanged } from './flowStatusChanged.event';
import { queueBacklog } from './queueBacklog.event';
import { userInvitationCreated } from './userInvitationCreated.event';
import { userJoined } from './userJoined.event';

/** The events, sorted by name, as n8n requires for lists of five and more. */
export const events: TriggerEvent[] = [
	connectionNeedsAttention,
	flowCreated,
	flowPublished,
	flowRunFailed,
	flowRunSucceeded,
	flowStatusChanged,
	queueBacklog,
	userInvitationCreated,
	userJoined,
];

/** n8n does not save the default event in workflows, so it must not change. */
export const defaultEvent = flowRunFailed;
