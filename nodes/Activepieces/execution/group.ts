/** Input items that are sent together: what they join, and how they part when a request is too large. */
import type { ApiClient } from '../transport/api/client';
import { ActivepiecesError } from '../transport/errors/error';
import { isStatus } from '../transport/http/response';
import { limits } from '../transport/limits';

/** What an item sends together with others. */
export interface Part {
	client: ApiClient;
	/** Parts with the same object are sent with one request */
	to: object;
	/** Parts for the same record count once, and are sent with the first of them */
	record?: object;
}

/** How an operation sends several items together: it receives the parts of a request in the order of their items. */
export interface Grouping {
	/** How many items run at once */
	size: number;
	/** Returns a result for each part, in their order. The client's requests count for all these items */
	send(client: ApiClient, parts: Part[]): Promise<unknown[]>;
}

/** The place of an item in a group. */
export interface GroupPlace {
	/** Waits until every other item of the group has joined or ended; returns the result for the part */
	join(part: Part): Promise<unknown>;
	leave(): void;
}

interface Member {
	part: Part;
	resolve(result: unknown): void;
	reject(error: unknown): void;
	ended: Promise<void>;
}

/** The members for the same record */
type RecordMembers = Member[];

/** Nothing of such a request was carried out, whoever refused it. */
const isTooLarge = (error: unknown): boolean =>
	error instanceof ActivepiecesError && isStatus(error.httpStatus, 'contentTooLarge');

/** What is sent with one request each, in the order of the first items. */
function batchesOf(members: Member[]): RecordMembers[][] {
	const records = new Map<object, RecordMembers>();
	const open = new Map<object, RecordMembers[]>();
	const batches: RecordMembers[][] = [];
	for (const member of members) {
		const { to, record = member } = member.part;
		const same = records.get(record) ?? [];
		same.push(member);
		if (same.length > 1) continue;
		records.set(record, same);
		let batch = open.get(to);
		if (batch === undefined || batch.length === limits.recordsPerRequest) {
			batch = [];
			open.set(to, batch);
			batches.push(batch);
		}
		batch.push(same);
	}
	return batches;
}

/** Sends one batch after the other; of one that is too large its halves. */
async function sendAll(members: Member[], send: Grouping['send']): Promise<void> {
	const batches = batchesOf(members);
	for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
		const all = batch.flat();
		const parts = all.map(({ part }) => part);
		try {
			const client = parts[0].client.forItems(parts.map((part) => part.client.ledger));
			const results = await send(client, parts);
			all.forEach(({ resolve }, i) => resolve(results[i]));
		} catch (error) {
			if (batch.length > 1 && isTooLarge(error)) {
				const half = Math.ceil(batch.length / 2);
				batches.unshift(batch.slice(0, half), batch.slice(half));
				continue;
			}
			for (const { reject } of all) reject(error);
		}
		// A batch that fails stops the run, if On Error is Stop, before the next one is sent.
		await Promise.all(all.map(({ ended }) => ended));
	}
}

/**
 * Makes the places of the items of a group. They join in any order, because n8n reads the credential of each, and
 * one that fails before it joins is not waited for.
 */
export function createGroup(size: number, send: Grouping['send']): GroupPlace[] {
	const members: Member[] = [];
	let missing = size;
	return Array.from({ length: size }, (_, place) => {
		let end = () => {};
		const ended = new Promise<void>((resolve) => (end = resolve));
		let arrive = () => {
			arrive = () => {};
			missing--;
			// Without the places of those that have left
			if (missing === 0) void sendAll(members.filter(Boolean), send);
		};
		return {
			async join(part) {
				return await new Promise((resolve, reject) => {
					members[place] = { part, resolve, reject, ended };
					arrive();
				});
			},
			leave() {
				arrive();
				end();
			},
		};
	});
}
