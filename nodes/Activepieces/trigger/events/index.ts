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

/** The events, in alphabetical order of their names, as n8n wants lists of five and more. */
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

/** n8n saves no event that is the default one, so this has to stay. */
export const defaultEvent = flowRunFailed;
