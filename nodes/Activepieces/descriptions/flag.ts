import { type IExecutePaginationFunctions, NodeOperationError } from 'n8n-workflow';

/** Reads a switch. An expression may give it as text; anything but true and false is refused. */
export function readFlag(
	context: IExecutePaginationFunctions,
	label: string,
	name: string,
	fallback: boolean,
): boolean {
	const value = context.getNodeParameter(name, fallback);
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw new NodeOperationError(
		context.getNode(),
		`${label} must be true or false, not "${String(value)}"`,
		{ description: `Change ${label}. Nothing was sent.` },
	);
}
