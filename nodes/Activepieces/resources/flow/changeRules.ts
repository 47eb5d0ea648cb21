import { hasCode, hasStatus, type ResponseRule, says, when } from '../../transport/errors/rule';
import { plainText, unended } from '../../transport/text';
import { textOf } from '../../transport/values';

/** The first line of the output of a trigger that could not be started: a sentence or nothing. */
function triggerOutput(output: unknown): string {
	const [line] = textOf(output).trim().split('\n');
	const shown = unended(plainText(line, 200));
	return shown && `Activepieces says: ${shown}. `;
}

/** For changes of a flow, which its state may not allow. */
export const CHANGE_RULES: ResponseRule[] = [
	when([hasStatus('badRequest'), hasCode('TRIGGER_UPDATE_STATUS')], ({ record }, { params }) => ({
		message: `Activepieces could not start or stop the trigger of ${record}`,
		description: `${triggerOutput(params.standardError)}Check the trigger and its connection in Activepieces.`,
	})),
	// From 0.85 on (recorded)
	when([hasStatus('notFound'), says(/^Trigger not found for piece undefined@/)], ({ record }) => ({
		message: `The published version of ${record} has no trigger`,
		description: 'Publish a version that has one.',
	})),
	// Without the piece of a step up to 0.79, and without that version of the trigger's piece from 0.85 on (recorded).
	when(
		[hasStatus('notFound'), says(/^(?:piece_metadata_not_found|Trigger not found for piece)\b/)],
		({ record, quoted }) => ({
			message: `A piece of ${record} is not installed on this Activepieces server, or not in the version that the flow uses`,
			description: `${quoted}Install the piece in Activepieces, or update the step in the flow.`,
		}),
	),
	// Later than 0.92.0 (read in the service's source).
	when([hasStatus('badRequest'), hasCode('REQUIRED_ACTIONS_MISSING')], ({ Record, quoted }) => ({
		message: `${Record} was not published, because actions that the platform requires are missing`,
		description: `${quoted}Add steps with these actions in Activepieces, and do not skip them.`,
	})),
	when([hasStatus('conflict'), hasCode('FLOW_IN_USE')], ({ record }) => ({
		message: `Another user is editing ${record}`,
		description: 'Run the node again one minute after the last edit.',
	})),
	when([hasStatus('conflict'), hasCode('FLOW_OPERATION_IN_PROGRESS')], ({ record }) => ({
		message: `Another change to ${record} is in progress`,
		description:
			'Run the node again in a moment. If this continues, check that an Activepieces worker is running.',
	})),
];
