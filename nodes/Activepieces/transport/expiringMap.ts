/** Values by key that expire. Expired values take no memory. */
interface ExpiringMap<Value> {
	/** undefined when there is no value, or when it has expired */
	get(key: string): Value | undefined;
	set(key: string, value: Value): void;
	delete(key: string): void;
	readonly size: number;
}

/** @param ttlMs returns the lifetime in milliseconds of a value that is set now */
export function createExpiringMap<Value>(ttlMs: () => number): ExpiringMap<Value> {
	const entries = new Map<string, { value: Value; until: number }>();
	const forgetOld = () => {
		const now = Date.now();
		for (const [key, { until }] of entries) if (until <= now) entries.delete(key);
	};
	return {
		get(key) {
			if (entries.size > 0) forgetOld();
			return entries.get(key)?.value;
		},
		set(key, value) {
			forgetOld();
			entries.set(key, { value, until: Date.now() + ttlMs() });
		},
		delete: (key) => void entries.delete(key),
		get size() {
			forgetOld();
			return entries.size;
		},
	};
}
