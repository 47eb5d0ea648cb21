import type { IDataObject } from 'n8n-workflow';

export interface GroupPlace {
	/**
	 * Adds what the item sends, and waits until every other item of the group is added or has ended. The
	 * parts with the same key are then sent together, by the function that came with the first of them.
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

interface Batch {
	parts: unknown[];
	records: Promise<IDataObject[]>;
	/** Resolve when the items of the batch have ended */
	ends: Array<Promise<void>>;
}

/**
 * Makes the places of a group. An item that fails before it joins is not waited for, and requests are sent
 * one after the other.
 */
export function createGroup(size: number): () => GroupPlace {
	const batches = new Map<object, Batch>();
	let missing = size;
	let start = () => {};
	let previous: Promise<unknown> = new Promise<void>((resolve) => (start = resolve));

	return () => {
		let isMissing = true;
		let end = () => {};
		const ended = new Promise<void>((resolve) => (end = resolve));
		const arrive = () => {
			if (isMissing) missing--;
			isMissing = false;
			if (missing === 0) start();
		};
		return {
			async join(key, part, send) {
				let batch = batches.get(key);
				if (batch === undefined) {
					const parts: Array<typeof part> = [];
					const records = previous.then(async () => await send(parts));
					const ends: Batch['ends'] = [];
					batch = { parts, records, ends };
					batches.set(key, batch);
					// A batch that fails stops the run, if On Error is Stop, before the next one is sent.
					previous = records.catch(() => {}).then(async () => await Promise.all(ends));
				}
				const index = batch.parts.push(part) - 1;
				batch.ends.push(ended);
				arrive();
				return (await batch.records)[index];
			},
			leave() {
				arrive();
				end();
			},
		};
	};
}
