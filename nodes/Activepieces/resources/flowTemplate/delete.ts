import { SESSION_CODES } from '../../transport/errors/responseMessages';
import { type Condition, hasStatus, isOfService, when } from '../../transport/errors/rule';
import type { ApiResponse } from '../../transport/http/response';
import { deleteOperation } from '../deleteOperation';
import { FEATURE, templateLocator } from './flowTemplate';

/** The service says that the record is not for deleting, and nothing about the credential. */
const isAboutRecord: Condition<ApiResponse> = ({ code = '', message = '' }) =>
	!['PERMISSION_DENIED', ...SESSION_CODES].includes(code) &&
	!(code === 'AUTHORIZATION' && /principal|project id is required/i.test(message));

export const remove = deleteOperation({
	description: 'Permanently delete a flow template',
	hint: 'Deletes one template per input item. This cannot be undone.',
	toolDescription:
		'Permanently deletes the Activepieces flow template with the given ID and returns {"deleted": true}',
	endpoint: {
		method: 'DELETE',
		path: '/v1/flow-templates/{id}',
		// Since 0.74 (recorded).
		otherPath: { path: '/v1/templates/{id}' },
		feature: FEATURE,
		// For a template of type PROJECT, 0.73 responds with empty params, and later releases with a sentence
		// (recorded).
		rules: [
			when([hasStatus('forbidden'), isOfService, isAboutRecord], ({ actor, record, quoted }) => ({
				message: `The ${actor} is not allowed to delete the ${record}`,
				description: `${quoted}You can delete only custom templates of your own platform, not official, shared or project templates.`,
			})),
		],
	},
	target: { ...templateLocator, description: 'The flow template to delete' },
});
