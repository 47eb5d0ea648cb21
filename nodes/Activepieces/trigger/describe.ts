import type { INodeProperties } from 'n8n-workflow';

import type { TriggerEvent } from './event';
import { events } from './events';
import { fields, options } from './fields';

/** The events that show a field. */
const eventsWith = (field: string): string[] =>
	events.filter((event) => event.fields.includes(field)).map(({ value }) => value);

const eventOption = ({ name, value, action, description }: TriggerEvent) => ({
	name,
	value,
	// n8n makes "On " and the name of it where none is given.
	...(action === undefined ? {} : { action }),
	description,
});

const shownFor = (property: INodeProperties): INodeProperties => ({
	...property,
	displayOptions: { show: { event: eventsWith(property.name) } },
});

const optionShownFor = (property: INodeProperties): INodeProperties => ({
	...property,
	displayOptions: { show: { '/event': eventsWith(`options.${property.name}`) } },
});

/** The trigger's properties: which event, and the fields of each. */
export function describeTrigger(): INodeProperties[] {
	return [
		{
			displayName: 'Event',
			name: 'event',
			type: 'options',
			noDataExpression: true,
			options: events.map(eventOption),
			default: 'flowRunFailed',
			description: 'What starts the workflow',
		},
		...fields.map(shownFor),
		{
			displayName: 'Options',
			name: 'options',
			type: 'collection',
			placeholder: 'Add option',
			default: {},
			options: options.map(optionShownFor),
		},
	];
}
