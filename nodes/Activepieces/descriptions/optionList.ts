import type { INodeProperties } from 'n8n-workflow';

import type { GetSources } from './listSource';

/** A field that takes several records, together with the lists that it shows. */
export interface OptionList {
	/** The records in messages, for example "flows" */
	noun: string;
	/** Name under which the node registers the method that reads the list */
	loadMethod: string;
	sources: GetSources;
}

/** The documentation that n8n's own nodes name in such a field. */
const EXPRESSION = '<a href="https://docs.n8n.io/code/expressions/">expression</a>';

/**
 * The editor's field for several records of a list. n8n has no locator for several. An expression gives
 * the values as an array, or as text separated by commas.
 *
 * @param purpose what they are for, as a sentence without its period
 */
export const optionListField = (
	{ loadMethod }: OptionList,
	field: Pick<INodeProperties, 'displayName' | 'name'>,
	purpose: string,
): INodeProperties => ({
	...field,
	type: 'multiOptions',
	typeOptions: {
		loadOptionsMethod: loadMethod,
		// A locator is an object, which n8n does not compare.
		loadOptionsDependsOn: ['projectId.value'],
	},
	default: [],
	description: `${purpose}. Choose from the list, or specify IDs using an ${EXPRESSION}.`,
});
