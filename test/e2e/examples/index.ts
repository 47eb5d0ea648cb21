import { example as automationAssistant } from './automation-assistant';
import { example as brokenConnectionAlert } from './broken-connection-alert';
import { example as compareFlows } from './compare-flows';
import { example as connectionsNeedingAttention } from './connections-needing-attention';
import { example as connectionTicket } from './connection-ticket';
import { example as copyFlow } from './copy-flow';
import { example as copyFlowWithoutConnection } from './copy-flow-without-connection';
import type { Example } from './example';
import { example as failedRuns } from './failed-runs';
import { example as failedRunsRetried } from './failed-runs-retried';
import { example as failingFlows } from './failing-flows';
import { example as failingFlowsForReal } from './failing-flows-for-real';
import { example as failedRunMessage } from './failed-run-message';
import { example as flowAsTool } from './flow-as-tool';
import { example as flowBackup } from './flow-backup';
import { example as flowInventory } from './flow-inventory';
import { example as flowWithCallback } from './flow-with-callback';
import { example as newCustomer } from './new-customer';
import { example as newCustomerAgain } from './new-customer-again';
import { example as queueBacklog } from './queue-backlog';
import { example as queueHealthAlert } from './queue-health-alert';
import { example as queueHealthQuiet } from './queue-health-quiet';
import { example as renameFolders } from './rename-folders';
import { example as renameFoldersForReal } from './rename-folders-for-real';
import { example as renameFoldersWithoutFind } from './rename-folders-without-find';
import { example as revokeInvitations } from './revoke-invitations';
import { example as revokeInvitationsForReal } from './revoke-invitations-for-real';
import { example as revokeInvitationsRefused } from './revoke-invitations-refused';
import { example as runFlowForEachRow } from './run-flow-for-each-row';
import { example as runFlowForEachRowRefused } from './run-flow-for-each-row-refused';
import { example as standardFolders } from './standard-folders';
import { example as staleDisabledFlows } from './stale-disabled-flows';
import { example as templateCleanup } from './template-cleanup';
import { example as templateCleanupForReal } from './template-cleanup-for-real';
import { example as templateCleanupWithoutTag } from './template-cleanup-without-tag';
import { example as waitingRuns } from './waiting-runs';
import { example as waitingRunsForReal } from './waiting-runs-for-real';

export type * from './example';

/** The runs of all examples by name. A file may be run twice, with other settings. */
export const examples: Record<string, Example> = {
	'failed-run-message': failedRunMessage,
	'connection-ticket': connectionTicket,
	'broken-connection-alert': brokenConnectionAlert,
	'new-customer': newCustomer,
	'new-customer-again': newCustomerAgain,
	'queue-backlog': queueBacklog,
	'queue-health-alert': queueHealthAlert,
	'queue-health-quiet': queueHealthQuiet,
	'flow-inventory': flowInventory,
	'flow-backup': flowBackup,
	'copy-flow': copyFlow,
	'copy-flow-without-connection': copyFlowWithoutConnection,
	'compare-flows': compareFlows,
	'connections-needing-attention': connectionsNeedingAttention,
	'stale-disabled-flows': staleDisabledFlows,
	'template-cleanup': templateCleanup,
	'template-cleanup-for-real': templateCleanupForReal,
	'template-cleanup-without-tag': templateCleanupWithoutTag,
	'revoke-invitations': revokeInvitations,
	'revoke-invitations-for-real': revokeInvitationsForReal,
	'revoke-invitations-refused': revokeInvitationsRefused,
	'failed-runs': failedRuns,
	'failed-runs-retried': failedRunsRetried,
	'waiting-runs': waitingRuns,
	'waiting-runs-for-real': waitingRunsForReal,
	'failing-flows': failingFlows,
	'failing-flows-for-real': failingFlowsForReal,
	'standard-folders': standardFolders,
	'rename-folders': renameFolders,
	'rename-folders-for-real': renameFoldersForReal,
	'rename-folders-without-find': renameFoldersWithoutFind,
	'run-flow-for-each-row': runFlowForEachRow,
	'run-flow-for-each-row-refused': runFlowForEachRowRefused,
	'flow-with-callback': flowWithCallback,
	'flow-as-tool': flowAsTool,
	'automation-assistant': automationAssistant,
};
