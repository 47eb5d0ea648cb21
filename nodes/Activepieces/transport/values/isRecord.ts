import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object with fields, as the service's records are. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
