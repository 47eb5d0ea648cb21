import type { IDataObject } from 'n8n-workflow';

import { ActivepiecesError } from '../transport/errors/error';
import { isStatus } from '../transport/http/httpStatus';

export interface GroupPlace {
	/**
	 * Adds what the item sends, and waits until every other item of the group is added or has ended. The
	 * parts with the same key are then sent together, in the order of the items, by the function that came
	 * with the first of them.
	 *
	 * @param send returns a record for each part, in their order
	 */
	join<Part>(
		key: object,
		part: Part,
		send: (parts: Part[]) => Promise<IDataObject[]>,
	): Promise<IDataObject>;
	leave(): void;
}

interface Member {
	/** Its number among the items of the group */
	place: number;
	key: object;
	part: unknown;
	send(parts: unknown[]): Promise<IDataObject[]>;
	resolve(record: IDataObject): void;
	reject(error: unknown): void;
	/** Resolves when its item has ended */
	ended: Promise<void>;
}

/** Nothing of such a request was carried out, whoever refused it. */
const isTooLarge = (error: unknown): boolean =>
	error instanceof ActivepiecesError && isStatus(error.httpStatus, 'contentTooLarge');

/** Sends one request for each key, one after the other; of one that is too large its halves. */
async function send(members: Member[]): Promise<void> {
	const byKey = new Map<object, Member[]>();
	for (const member of members) byKey.set(member.key, [...(byKey.get(member.key) ?? []), member]);
	const batches = [...byKey.values()];
	for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
		try {
			const records = await batch[0].send(batch.map(({ part }) => part));
			batch.forEach(({ resolve }, i) => resolve(records[i]));
		} catch (error) {
			if (batch.length > 1 && isTooLarge(error)) {
				const half = Math.ceil(batch.length / 2);
				batches.unshift(batch.slice(0, half), batch.slice(half));
				continue;
			}
			for (const { reject } of batch) reject(error);
		}
		// A batch that fails stops the run, if On Error is Stop, before the next one is sent.
		await Promise.all(batch.map(({ ended }) => ended));
	}
}

/**
 * Makes the places of a group, in the order of its items: the items themselves join in any order, because n8n
 * reads the credential of each. An item that fails before it joins is not waited for.
 *
 * Only the create of table records uses groups. They are here because what runs the items makes the places,
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
			async join(key, part, sendParts) {
				const record = new Promise<IDataObject>((resolve, reject) => {
					const send = sendParts as Member['send'];
					members.push({ place, key, part, send, resolve, reject, ended });
				});
				arrive();
				return await record;
			},
			leave() {
				arrive();
				end();
			},
		};
	};
}
