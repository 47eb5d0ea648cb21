import type { Row } from './table';

/** How a flow stands. */
interface FlowState {
	status: string;
	operationStatus: string;
	published: boolean;
	state: string;
}

/** Names and times of the rows that the recorded server had at first. */
export interface Seed {
	personal: string;
	folders: Array<{ displayName: string; created: string }>;
	invitations: Array<{ email: string; type: 'PLATFORM' | 'PROJECT'; created: string }>;
	users: Array<{ email: string; firstName: string; lastName: string; created: string }>;
}

/** What was done to the recorded server before an exchange. */
export interface Before {
	seed?: Seed;
	/** drafts that got a valid webhook trigger, and those of them that were published as well */
	webhooks?: string[];
	published?: string[];
	/** the sixty runs: when, and of which flows in turn */
	runs?: { at: string; flows: string[]; unpublished: string };
	runsOfProject2?: number;
	/** runs of a published flow, named `run:any:1` and so on */
	goodRuns?: number;
	/** when it was recorded, where rows of one second matter */
	time?: string;
	personalInvitation?: true;
	/** CHANGE_STATUS ENABLED of the same flow, just before */
	enable?: true;
	hook?: 'works' | 'fails';
	worker?: 'stopped';
	/** another user edited the flow within the last minute */
	edited?: true;
}

/** One recorded exchange of the operations beyond the contract. */
export interface LaterRow extends Row {
	/** of an answer that is a number */
	value?: number;
	/** of an answer that is an array: how many */
	elements?: number;
	/** of a flow: status and operationStatus */
	state?: [string, string];
	/** the flow after a change, at once and in the end */
	then?: { atOnce?: FlowState; settled: FlowState };
	before?: Before;
	/** of a list, page by page to its end: how many rows there are, how many were seen in how many pages */
	walk?: { rows: number; seen: number; pages?: number };
}

/** How a flow stands, as GET shows it. */
export function stateOf(body: string): FlowState {
	const flow = JSON.parse(body) as Record<string, unknown> & { version: Record<string, unknown> };
	return {
		status: String(flow.status),
		operationStatus: String(flow.operationStatus),
		published: flow.publishedVersionId !== null,
		state: String(flow.version.state),
	};
}
