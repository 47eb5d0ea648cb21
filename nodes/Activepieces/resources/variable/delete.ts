import { deleteOperation } from '../deleteOperation';
import { rules, variableLocator } from './variable';

export const remove = deleteOperation({
	description: 'Permanently delete a variable, even if flows use it',
	hint: 'Deletes one variable per input item, even if flows use it. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces variable with the given ID, even if flows use it, and returns {"deleted": true}',
	endpoint: { method: 'DELETE', path: '/v1/variables/{id}', rules },
	target: variableLocator,
});
