import type { INodeProperties } from 'n8n-workflow';

import type { GetSources } from './listSource';

/** A field that selects several records, together with the lists that it shows. */
export interface OptionList {
	/** Noun for the records in messages, for example "flows" */
	noun: string;
	/** Name under which the node registers the method that reads the list */
	loadMethod: string;
	sources: GetSources;
}

/** The documentation that the descriptions of n8n's own nodes link to in such a field. */
const EXPRESSION = '<a href="https://docs.n8n.io/code/expressions/">expression</a>';

/**
 * The editor's field for several records of a list, since n8n has no locator for several. An expression
 * gives the values as an array, or as text separated by commas.
 *
 * @param purpose what the values are for, as a sentence without its period
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
		// n8n does not compare objects, and a locator is one.
		loadOptionsDependsOn: ['projectId.value'],
	},
	default: [],
	description: `${purpose}. Choose from the list, or specify IDs using an ${EXPRESSION}.`,
});
