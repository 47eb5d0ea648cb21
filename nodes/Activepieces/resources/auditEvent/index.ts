import type { Resource } from '../operation';
import { getAll } from './getAll';

export const auditEvent: Resource = {
	name: 'Audit Event',
	value: 'auditEvent',
	operations: [getAll],
};
