/** What n8n calls for an operation. */
import { listFieldsIn, locatorFieldsIn, withIds } from './descriptions/byName';
import { executeItems } from './execution/executeItems';
import type { RunOperation } from './execution/operationContext';
import { runInRouter } from './execution/router';
import type { Operation, Resource } from './resources/operation';
import { validationError } from './transport/errors/error';
import { describeValue } from './transport/texts';

/** What n8n adds to both lists of a node whose credential HTTP Request can use */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

function unknownError(resources: Resource[], resource: unknown, operation: unknown) {
	if ([resource, operation].includes(CUSTOM_API_CALL)) {
		return validationError(
			'This node does not send custom API calls',
			'Use an HTTP Request node. Set its Authentication to Predefined Credential Type, select the credential, and begin its URL with the Base URL of the credential.',
		);
	}
	const name = describeValue(resource);
	return validationError(
		resources.some(({ value }) => value === resource)
			? `The resource ${name} has no operation ${describeValue(operation)}`
			: `The resource ${name} does not exist`,
		'Choose Resource and Operation from their lists. n8n does not evaluate expressions in them.',
	);
}

/**
 * What n8n's router runs for a resource or an operation that the node does not have: Custom API Call,
 * or a workflow that was written by hand. n8n then finds none of the node's own functions, and its router would send a
 * request without a URL, which fails with "Invalid URL".
 */
export function unknownOperation(resources: Resource[]) {
	const run: RunOperation = async (item) => {
		throw unknownError(resources, item.get('resource', ''), item.get('operation', ''));
	};
	return runInRouter({ endpoint: { method: 'GET', path: '' }, run });
}

/** The resources whose operations get the IDs of the records that an item names otherwise. */
export function withRecordsByName(resources: Resource[]): Resource[] {
	const optionLists = resources.flatMap((resource) => resource.optionLists ?? []);
	const withNames = (operation: Operation): Operation => {
		const { properties, run } = operation;
		const locatorFields = locatorFieldsIn(properties);
		const listFields = listFieldsIn(properties, optionLists);
		if (locatorFields.length + listFields.length === 0) return operation;
		return {
			...operation,
			run: async (context) => await run(await withIds(context, locatorFields, listFields)),
		};
	};
	return resources.map((resource) => ({
		...resource,
		operations: resource.operations.map(withNames),
	}));
}

export function makeCustomOperations(resources: Resource[]) {
	return Object.fromEntries(
		resources.map(({ value, operations }) => [
			value,
			Object.fromEntries(operations.map((operation) => [operation.value, executeItems(operation)])),
		]),
	);
}
