import type { Resource } from '../operation';
import { getMetrics } from './getMetrics';

export const queue: Resource = { name: 'Queue', value: 'queue', operations: [getMetrics] };
