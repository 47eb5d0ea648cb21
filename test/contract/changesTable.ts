import type { Row } from './table';

interface FlowState {
	status: string;
	operationStatus: string;
	published: boolean;
	state: string;
}

/** Names and times of the initial records of the recorded server. */
export interface Seed {
	personal: string;
	folders: Array<{ displayName: string; created: string }>;
	invitations: Array<{ email: string; type: 'PLATFORM' | 'PROJECT'; created: string }>;
	users: Array<{ email: string; firstName: string; lastName: string; created: string }>;
}

/** What was done to the recorded server before an exchange. */
export interface Before {
	seed?: Seed;
	/** Drafts that got a valid webhook trigger, and those of them that were also published */
	webhooks?: string[];
	published?: string[];
	/** The sixty runs: their times, and their flows in turn */
	runs?: { at: string; flows: string[]; unpublished: string };
	runsOfProject2?: number;
	/** Number of runs of a published flow, named `run:any:1` and so on */
	goodRuns?: number;
	/** When it was recorded, if records of the same second matter */
	time?: string;
	personalInvitation?: true;
	/** CHANGE_STATUS ENABLED of the same flow, just before */
	enable?: true;
	hook?: 'works' | 'fails';
	worker?: 'stopped';
	/** Whether another user edited the flow within the last minute */
	edited?: true;
}

/** One recorded exchange of the operations beyond the contract. */
export interface ChangeRow extends Row {
	/** Of a response that is a number */
	value?: number;
	/** Number of elements of a response that is an array */
	elements?: number;
	/** Status and operationStatus of a flow */
	state?: [string, string];
	/** The flow after a change, at once and in the end */
	then?: { atOnce?: FlowState; settled: FlowState };
	before?: Before;
	/** A list read to its end: number of records, how many were seen, and in how many pages */
	walk?: { rows: number; seen: number; pages?: number };
}

/** The state of a flow, as GET returns it. */
export function stateOf(body: string): FlowState {
	const flow = JSON.parse(body) as Record<string, unknown> & { version: Record<string, unknown> };
	return {
		status: String(flow.status),
		operationStatus: String(flow.operationStatus),
		published: flow.publishedVersionId !== null,
		state: String(flow.version.state),
	};
}
