import { runs as automationAssistant } from './automation-assistant';
import { runs as brokenConnectionAlert } from './broken-connection-alert';
import { runs as compareFlows } from './compare-flows';
import { runs as connectionTicket } from './connection-ticket';
import { runs as connectionsNeedingAttention } from './connections-needing-attention';
import { runs as copyFlow } from './copy-flow';
import { runs as failedRunMessage } from './failed-run-message';
import { runs as failedRuns } from './failed-runs';
import { runs as failingFlows } from './failing-flows';
import { runs as flowAsTool } from './flow-as-tool';
import { runs as flowBackup } from './flow-backup';
import { runs as flowInventory } from './flow-inventory';
import { runs as flowWithCallback } from './flow-with-callback';
import { runs as newCustomer } from './new-customer';
import { runs as queueBacklog } from './queue-backlog';
import { runs as queueHealthAlert } from './queue-health-alert';
import { runs as renameFolders } from './rename-folders';
import { runs as revokeInvitations } from './revoke-invitations';
import { runs as runFlowForEachRow } from './run-flow-for-each-row';
import { runs as staleDisabledFlows } from './stale-disabled-flows';
import { runs as standardFolders } from './standard-folders';
import { runs as templateCleanup } from './template-cleanup';
import { runs as waitingRuns } from './waiting-runs';
import type { Example, Runs } from './example';

export type * from './example';

/** Keyed by the file in `examples/`. */
const FILES: Record<string, Runs> = {
	'failed-run-message': failedRunMessage,
	'connection-ticket': connectionTicket,
	'broken-connection-alert': brokenConnectionAlert,
	'new-customer': newCustomer,
	'queue-backlog': queueBacklog,
	'queue-health-alert': queueHealthAlert,
	'flow-inventory': flowInventory,
	'flow-backup': flowBackup,
	'copy-flow': copyFlow,
	'compare-flows': compareFlows,
	'connections-needing-attention': connectionsNeedingAttention,
	'stale-disabled-flows': staleDisabledFlows,
	'template-cleanup': templateCleanup,
	'revoke-invitations': revokeInvitations,
	'failed-runs': failedRuns,
	'waiting-runs': waitingRuns,
	'failing-flows': failingFlows,
	'standard-folders': standardFolders,
	'rename-folders': renameFolders,
	'run-flow-for-each-row': runFlowForEachRow,
	'flow-with-callback': flowWithCallback,
	'flow-as-tool': flowAsTool,
	'automation-assistant': automationAssistant,
};

/** The runs of all examples by name. A file may run twice, with other settings. */
export const examples: Record<string, Example> = Object.fromEntries(
	Object.entries(FILES).flatMap(([file, runs]) =>
		Object.entries(runs).map(([name, run]) => [name, { file: `${file}.json`, ...run }]),
	),
);
