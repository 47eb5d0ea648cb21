import type { IDataObject } from 'n8n-workflow';

/** Whether a value is an object with fields, as records of the service are. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
