import { ActivepiecesError } from '../transport/errors/error';
import { isStatus } from '../transport/http/httpStatus';

export interface GroupPlace {
	/**
	 * Adds what the item sends, and waits until every other item of the group is added or has ended. The
	 * parts with the same key are then sent together, in the order of the items, by the function that came
	 * with the first of them.
	 *
	 * @param send returns a result for each part, in their order
	 * @param most how many records it takes at once
	 * @param record what the part is for: parts for the same one are sent with the first of them, and count once
	 */
	join<Part extends object, Result>(
		key: object,
		part: Part,
		send: (parts: Part[]) => Promise<Result[]>,
		most?: number,
		record?: object,
	): Promise<Result>;
	leave(): void;
}

interface Member {
	/** Its number among the items of the group */
	place: number;
	key: object;
	part: unknown;
	record: object;
	most: number;
	send(parts: unknown[]): Promise<unknown[]>;
	resolve(result: unknown): void;
	reject(error: unknown): void;
	ended: Promise<void>;
}

/** Nothing of such a request was carried out, whoever refused it. */
const isTooLarge = (error: unknown): boolean =>
	error instanceof ActivepiecesError && isStatus(error.httpStatus, 'contentTooLarge');

type RecordMembers = Member[];

/** The members with the same key together, in the order of their first items. */
function batchesOf(members: Member[]): RecordMembers[][] {
	const records = new Map<object, RecordMembers>();
	const open = new Map<object, RecordMembers[]>();
	const batches: RecordMembers[][] = [];
	for (const member of members) {
		const { key, most, record } = member;
		const same = records.get(record);
		if (same !== undefined) {
			same.push(member);
			continue;
		}
		const own = [member];
		records.set(record, own);
		const batch = open.get(key);
		if (batch !== undefined && batch.length < most) {
			batch.push(own);
			continue;
		}
		const next = [own];
		open.set(key, next);
		batches.push(next);
	}
	return batches;
}

/** Sends one batch after the other; of one that is too large its halves. */
async function send(members: Member[]): Promise<void> {
	const batches = batchesOf(members);
	for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
		const all = batch.flat();
		try {
			const results = await all[0].send(all.map(({ part }) => part));
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
 * Makes the places of a group, in the order of its items: the items themselves join in any order, because n8n
 * reads the credential of each. An item that fails before it joins is not waited for.
 *
 * Only the operations that create table records use groups. They are here because what runs the items makes the places,
 * and says when an item has ended.
 */
export function createGroup(size: number): () => GroupPlace {
	const members: Member[] = [];
	let missing = size;
	let places = 0;

	return () => {
		const place = places++;
		let isMissing = true;
		let end = () => {};
		const ended = new Promise<void>((resolve) => (end = resolve));
		const arrive = () => {
			if (!isMissing) return;
			isMissing = false;
			missing--;
			if (missing === 0) void send(members.sort((a, b) => a.place - b.place));
		};
		return {
			async join<Part extends object, Result>(
				key: object,
				part: Part,
				sendParts: (parts: Part[]) => Promise<Result[]>,
				most = Infinity,
				record: object = part,
			) {
				const result = new Promise<Result>((resolve, reject) => {
					const send = sendParts as Member['send'];
					const settle = { resolve: resolve as Member['resolve'], reject };
					members.push({ place, key, part, record, most, send, ...settle, ended });
				});
				arrive();
				return await result;
			},
			leave() {
				arrive();
				end();
			},
		};
	};
}
