/** What this process remembers of a trigger, beside what n8n stores. */
export interface PollMemory {
	/** Which version of the state the last poll left */
	revision?: string;
	/** Polls in a row that found the service down */
	failures: number;
	/** The last poll was the first one of its context */
	wasFirst?: boolean;
}

/** By workflow and node; as many entries as there were triggers since n8n started. */
export const pollMemory = new Map<string, PollMemory>();

export function memoryOf(key: string): PollMemory {
	const memory = pollMemory.get(key) ?? { failures: 0 };
	pollMemory.set(key, memory);
	return memory;
}
