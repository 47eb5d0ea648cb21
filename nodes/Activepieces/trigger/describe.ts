import type { INodeProperties } from 'n8n-workflow';

import type { TriggerEvent } from './event';
import { events } from './events';
import { defaultOf, fields, options } from './fields';

/** The events that show a field. */
const eventsWith = (field: string): TriggerEvent[] =>
	events.filter((event) => event.fields.includes(field));

const valuesOf = (some: TriggerEvent[]): string[] => some.map(({ value }) => value);

const eventOption = ({ name, value, action, description }: TriggerEvent) => ({
	name,
	value,
	// Without an action, n8n uses "On " and the name.
	...(action === undefined ? {} : { action }),
	description,
});

const shownFor = (property: INodeProperties): INodeProperties => ({
	...property,
	displayOptions: { show: { event: valuesOf(eventsWith(property.name)) } },
});

/** An option, once for each default that events give it. */
function optionShownFor(property: INodeProperties): INodeProperties[] {
	const byDefault = new Map<unknown, TriggerEvent[]>();
	for (const event of eventsWith(`options.${property.name}`)) {
		const value = defaultOf(event, property.name);
		byDefault.set(value, [...(byDefault.get(value) ?? []), event]);
	}
	return [...byDefault].map(([value, some]) => ({
		...property,
		default: value as INodeProperties['default'],
		displayOptions: { show: { '/event': valuesOf(some) } },
	}));
}

/** The trigger's properties: the event, and the fields of each event. */
export function describeTrigger(): INodeProperties[] {
	return [
		{
			displayName: 'Event',
			name: 'event',
			type: 'options',
			noDataExpression: true,
			options: events.map(eventOption),
			// As text, because n8n's linter reads no other default; the value is that of `defaultEvent`.
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
			options: options.flatMap(optionShownFor),
		},
	];
}
