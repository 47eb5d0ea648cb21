import type { INodeProperties } from 'n8n-workflow';

import {
	collectionField,
	multiOptionsField,
	numberField,
	optionsField,
} from '../descriptions/fields';
import { type Locator, locatorField } from '../descriptions/locator';
import { simplify } from '../descriptions/output';
import { actionsField } from '../resources/auditEvent';
import { flowLocator } from '../resources/flow/flow';
import { FAILED_STATUSES, hasFailed, runStatuses } from '../resources/flowRun/flowRun';
import { projectLocator } from '../resources/project/project';
import type { TriggerEvent } from './event';

export const projectToWatch: Locator = {
	...projectLocator,
	description: 'The project to watch',
	hint: 'Leave empty to watch all projects',
};

export const flowToWatch: Locator = {
	...flowLocator,
	description: 'The flow to watch. The list shows the flows of all projects.',
	hint: 'Leave empty to watch all flows',
	required: false,
};

export const CONNECTION_SCOPES = ['all', 'global', 'project'] as const;

export const METRICS = ['active', 'delayed', 'failed', 'paused', 'prioritized', 'waiting'] as const;

export const fields: INodeProperties[] = [
	optionsField('Scope', 'scope', {
		options: [
			{
				name: 'All Connections',
				value: 'all',
				description: 'Project connections and, if the plan includes them, global connections',
			},
			{
				name: 'Global Connections',
				value: 'global',
				description: 'Connections that the platform shares with its projects',
			},
			{
				name: 'Project Connections',
				value: 'project',
				description: 'Connections that belong to a project',
			},
		],
		default: 'all',
		description: 'The connections to watch',
	}),
	locatorField(projectToWatch),
	locatorField(flowToWatch),
	multiOptionsField('Statuses', 'statuses', {
		options: runStatuses.filter(({ value }) => value === 'CANCELED' || hasFailed(value)),
		default: [...FAILED_STATUSES],
		description: 'Run statuses that start the workflow',
	}),
	actionsField('Which events start the workflow. Leave empty for all.'),
	optionsField('Metric', 'metric', {
		options: METRICS.map((value) => ({ name: value[0].toUpperCase() + value.slice(1), value })),
		default: 'waiting',
		description: 'The jobs to count',
		hint: 'Activepieces 0.80 to 0.86.2 and Cloud report only waiting and active jobs',
	}),
	numberField('Threshold', 'threshold', {
		typeOptions: { minValue: 0 },
		default: 100,
		description: 'The workflow starts when there are more jobs than this',
	}),
	simplify,
];

/** The options of the collection Options; each is shown for the events that name it. */
export const options: INodeProperties[] = [
	numberField('Clear At', 'clearAt', {
		default: 50,
		description:
			'The workflow can start again only after the number of jobs falls below this value. If not set, it can start again after the number falls to Threshold or lower.',
	}),
	numberField('Lookback (Hours)', 'lookbackHours', {
		default: 24,
		description:
			'Only runs that end within this many hours of their start are detected. If your flows pause, enter more hours than the longest pause.',
	}),
	numberField('Max Items per Poll', 'maxItems', {
		default: 1000,
		description: 'Max number of items that a poll returns. The next polls return the rest.',
	}),
];

export const defaultOf = ({ defaults }: Pick<TriggerEvent, 'defaults'>, name: string): unknown =>
	defaults?.[name] ?? options.find((option) => option.name === name)?.default;

const valuesOf = (some: TriggerEvent[]): string[] => some.map(({ value }) => value);

/** An option, once for each default that events give it. */
function optionShownFor(option: INodeProperties, events: TriggerEvent[]): INodeProperties[] {
	const shown = events.filter(({ fields }) => fields.includes(`options.${option.name}`));
	return [...new Set(shown.map((event) => defaultOf(event, option.name)))].map((value) => {
		const event = valuesOf(shown.filter((each) => defaultOf(each, option.name) === value));
		const displayOptions = { show: { '/event': event } };
		return { ...option, default: value as INodeProperties['default'], displayOptions };
	});
}

export function describeTrigger(events: TriggerEvent[]): INodeProperties[] {
	const shown = fields.map((field) => {
		const event = valuesOf(events.filter((each) => each.fields.includes(field.name)));
		return { ...field, displayOptions: { show: { event } } };
	});
	return [
		{
			displayName: 'Event',
			name: 'event',
			type: 'options',
			noDataExpression: true,
			options: events.map(({ name, value, action, description }) => {
				return { name, value, action, description };
			}),
			// As text, because n8n's linter reads no other default; the value is that of `defaultEvent`.
			default: 'flowRunFailed',
			description: 'What starts the workflow',
		},
		...shown,
		collectionField(
			'Options',
			'options',
			'Add option',
			options.flatMap((option) => optionShownFor(option, events)),
		),
	];
}
