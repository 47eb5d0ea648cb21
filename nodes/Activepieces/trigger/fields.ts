/* The fields of the trigger, as the editor shows them and as a poll reads them. */
import type { INodeProperties } from 'n8n-workflow';

import { optional, optionalId, optionOf, propertiesOf } from '../descriptions/field';
import { choice, choicesOf, field, wholeNumber, type SimpleField } from '../descriptions/kinds';
import { EXPRESSION, locatorField, requestTarget, type Locator } from '../descriptions/locator';
import { simplifyField } from '../descriptions/output';
import { splitList, toBoolean } from '../descriptions/parameters';
import { projectLocator } from '../descriptions/project';
import { collectionField, multiOptionsField } from '../descriptions/properties';
import { actionsField } from '../resources/auditEvent';
import { flowLocator } from '../resources/flow/flow';
import { FAILED_STATUSES, hasFailed, RUN_STATUSES } from '../resources/flowRun/flowRun';
import { tableLocator, tableOf, type TableTarget } from '../resources/table/table';
import { combine, conditionsFilter } from '../resources/tableRecord/conditions';

/** Of a poll, whose fields are read without requests */
const WITHOUT_NAMES = { byName: undefined, byExternalId: undefined };

export const projectToWatch: Locator = {
	...projectLocator,
	...WITHOUT_NAMES,
	description: 'The project to watch, or that of the table to watch',
	hint: 'Leave empty for all projects',
};

export const flowToWatch: Locator = {
	...flowLocator,
	...WITHOUT_NAMES,
	description:
		'The flow to watch, whichever project is chosen. The list shows the flows of all projects.',
	hint: 'Leave empty to watch all flows',
	required: false,
};

const tableToWatch: Locator = {
	...tableLocator,
	...WITHOUT_NAMES,
	description: 'The table to watch. Each poll reads all its records.',
};

const table: SimpleField<TableTarget> = {
	properties: [locatorField(tableToWatch)],
	read: (fields) => tableOf(requestTarget(fields, tableToWatch)),
};

const scope = choice('Scope', 'scope', {
	options: [
		[
			'All Connections',
			'all',
			'Project connections and, if the plan includes them, global connections',
		],
		['Global Connections', 'global', 'Connections that the platform shares with its projects'],
		['Project Connections', 'project', 'Connections that belong to a project'],
	],
	default: 'all',
	description: 'The connections to watch',
});

const metric = choice('Metric', 'metric', {
	options: ['active', 'delayed', 'failed', 'paused', 'prioritized', 'waiting'],
	default: 'waiting',
	description: 'The jobs to count',
	hint: 'Activepieces 0.80 to 0.86.2 and Cloud report only waiting and active jobs',
});

const fieldsOfEvents = {
	scope,
	projectId: optionalId(projectToWatch),
	flowId: optionalId(flowToWatch),
	tableId: table,
	statuses: choicesOf('Statuses', 'statuses', {
		options: RUN_STATUSES.filter((each) => each === 'CANCELED' || hasFailed(each)),
		default: [...FAILED_STATUSES],
		description: 'Run statuses that start the workflow',
	}),
	actions: optional(actionsField('Start only for these events'), 'all'),
	metric,
	threshold: wholeNumber('Threshold', 'threshold', {
		typeOptions: { minValue: 0 },
		default: 100,
		description: 'The workflow starts when there are more jobs than this',
	}),
};

/** The number of jobs below which the alarm ends. */
const clearAt = optional(
	wholeNumber('Clear At', 'clearAt', {
		default: 50,
		description:
			'The workflow can start again only after the number of jobs falls below this value. If not set, it can start again after the number falls to Threshold or lower.',
	}),
	'Threshold',
	'options.clearAt',
);

const columnsToWatch = optional(
	field(
		multiOptionsField('Columns to Watch', 'columnsToWatch', {
			typeOptions: {
				loadOptionsMethod: 'getTableColumns',
				loadOptionsDependsOn: ['tableId.value'],
			},
			description: `Start only when a value of one of these columns is written. A workflow that writes back watches columns that it does not write. Choose from the list, or specify IDs using an ${EXPRESSION}.`,
		}),
		(label, value) => splitList(label, value),
	),
	'all columns',
	'options.columnsToWatch',
);

const conditions = optional(
	conditionsFilter.with({
		description:
			'Start only for records for which all these conditions are true, or any of them, as Must Match says',
	}),
	'all',
	'options.conditions',
);

const optionsOfEvents = { clearAt, columnsToWatch, conditions, combine: optionOf(combine) };

/** The fields of what events watch, by the names of their parameters: `context.value` has the value of each. */
export const fieldsByName = { ...fieldsOfEvents, ...optionsOfEvents };

/** The parameter of a field: `projectId`, `options.clearAt` */
export const parameterOf = (name: keyof Watched): string =>
	name in optionsOfEvents ? `options.${name}` : name;

export type Watched = {
	[Name in keyof typeof fieldsByName]: ReturnType<(typeof fieldsByName)[Name]['read']>;
};

export const isSimplified = field(simplifyField, toBoolean);

const fieldProperties = propertiesOf({ ...fieldsOfEvents, isSimplified });

type OutputField = keyof Watched | 'simplify' | 'maxItems';

/** The `outputFields` of an event that returns records. */
export const OUTPUT_FIELDS: OutputField[] = ['simplify', 'maxItems'];

const lookbackOf = (event: string, hours: number) =>
	optionOf(
		wholeNumber('Lookback (Hours)', 'lookbackHours', {
			default: hours,
			displayOptions: { show: { '/event': [event] } },
			description:
				'Only runs that end within this many hours of their first start are detected. If your flows pause, or you retry runs later, enter more hours than that takes.',
		}),
	);

/** Hours, by event. Many runs succeed, and each poll reads all within this period. A change is no reason to start over */
export const lookbacks = {
	flowRunFailed: lookbackOf('flowRunFailed', 24),
	flowRunSucceeded: lookbackOf('flowRunSucceeded', 1),
};

export const maxItems = optionOf(
	wholeNumber('Max Items per Poll', 'maxItems', {
		default: 1000,
		description: 'Max number of items that a poll returns. The next polls return the rest.',
	}),
);

/** The options of the collection Options. */
const optionProperties: INodeProperties[] = [
	...clearAt.properties,
	...columnsToWatch.properties,
	...conditions.properties,
	...Object.values(lookbacks).flatMap(({ properties }) => properties),
	...maxItems.properties,
	...combine.properties,
];

/** How the editor shows an event. */
export interface EventDescription {
	name: string;
	/** Name in the node panel; by default "On " and the name */
	action?: string;
	/** Saved by workflows */
	value: string;
	description: string;
	/** The fields of which a change starts watching again */
	watchedFields: Array<keyof Watched>;
	/** The other fields: watching goes on when one of them changes */
	outputFields?: OutputField[];
}

export const eventField = (events: EventDescription[]) =>
	choice('Event', 'event', {
		noDataExpression: true,
		options: events.map(({ name, value, action, description }) => {
			return { name, value, action, description };
		}),
		// n8n does not save it in workflows, so it must not change.
		default: 'flowRunFailed',
		description: 'What starts the workflow',
	});

export function describeTrigger(events: EventDescription[]): INodeProperties[] {
	const eventsWith = ({ name }: INodeProperties) =>
		events
			.filter(({ watchedFields: watched, outputFields: others = [] }) =>
				[...watched, ...others].some((each) => each === name),
			)
			.map(({ value }) => value);
	return [
		...eventField(events).properties,
		...fieldProperties.map((property) => {
			return { ...property, displayOptions: { show: { event: eventsWith(property) } } };
		}),
		collectionField(
			'Options',
			'options',
			'Add option',
			optionProperties.map((option) => {
				const event = eventsWith(option);
				// Lookback has its own, because its default depends on the event.
				return { displayOptions: { show: { '/event': event } }, ...option };
			}),
		),
	];
}
