/** Overhead of an object or an array, and of each of its values */
const PER_VALUE = 16;

/**
 * The approximate memory of a record in bytes. Not recursive, because a server may nest values to any depth.
 */
export function sizeOf(root: unknown): number {
	const open: unknown[] = [root];
	let size = 0;
	while (open.length > 0) {
		const value = open.pop();
		size += PER_VALUE;
		if (typeof value === 'string') size += value.length;
		else if (Array.isArray(value)) for (const each of value) open.push(each);
		else if (typeof value === 'object' && value !== null) {
			for (const [name, each] of Object.entries(value)) {
				size += name.length;
				open.push(each);
			}
		}
	}
	return size;
}
