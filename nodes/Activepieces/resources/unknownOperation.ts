import type { RunOperation } from '../execution/operationContext';
import { routerPagination } from '../execution/routerPagination';
import { type ValidationError, validationError } from '../transport/errors/activepiecesError';
import { describeValue } from '../transport/values/describeValue';
import type { Resource } from './operation';

function unknownError(
	resources: Resource[],
	resource: unknown,
	operation: unknown,
): ValidationError {
	const known = resources.find(({ value }) => value === resource);
	const [message, choices] =
		known === undefined
			? [`The resource ${describeValue(resource)} does not exist`, resources]
			: [
					`The resource "${known.value}" has no operation ${describeValue(operation)}`,
					known.operations,
				];
	const names = choices.map(({ value }) => value).join(', ');
	return validationError(
		message,
		`Choose one of ${names}. n8n does not evaluate expressions in Resource and Operation.`,
	);
}

/**
 * What n8n's router runs for a resource or an operation that the node does not have, in a workflow that
 * was written by hand. n8n then finds none of the node's own functions, and its router would send a
 * request without a URL, which fails with "Invalid URL".
 */
export function unknownOperation(resources: Resource[]) {
	const run: RunOperation = async ({ getParameter }) => {
		throw unknownError(resources, getParameter('resource', ''), getParameter('operation', ''));
	};
	return routerPagination({ method: 'GET', path: '' }, run);
}
