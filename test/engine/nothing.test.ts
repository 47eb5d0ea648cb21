import type { INodeParameters } from 'n8n-workflow';

import { ALL_FLOWS, CONNECTIONS, TEMPLATES, parametersOf } from './harness/parameters';
import { byId, requestPaths, requestUrls, useService } from './harness/service';
import { TriggerRun } from './harness/trigger';

/** Expressions without a result. */
const NOTHINGS = ['{{ undefined }}', '{{ null }}', '{{ [] }}', '{{ [undefined, null, ""] }}'];

const RUNS: INodeParameters = { resource: 'flowRun', operation: 'getAll', returnAll: true };
const FOLDERS: INodeParameters = { resource: 'folder', operation: 'getAll', returnAll: true };
const PROJECTS: INodeParameters = { resource: 'project', operation: 'getAll', returnAll: true };
const ALL_CONNECTIONS: INodeParameters = { ...CONNECTIONS, returnAll: true };
const INVITATIONS = parametersOf('userInvitation.getAll', { type: 'PROJECT', returnAll: true });

/** The fields of a list, by name, with their labels. */
const fields = (parameters: INodeParameters, labels: Record<string, string>) =>
	Object.entries(labels).map(([name, label]) => [label, name, parameters] as const);

/** Every field that filters a list when it has a value. */
const NARROWING = [
	...[ALL_FLOWS, RUNS, FOLDERS, INVITATIONS].flatMap((parameters) =>
		fields(parameters, { projectId: 'Project' }),
	),
	...fields(ALL_FLOWS, {
		agentExternalIds: 'Agent External IDs',
		connectionExternalIds: 'Connection Names or IDs',
		externalIds: 'Flow Names or IDs',
		folderId: 'Folder',
		name: 'Name',
		status: 'Status',
		versionState: 'Version State',
	}),
	...fields(RUNS, {
		createdAfter: 'Created After',
		createdBefore: 'Created Before',
		failedStepName: 'Failed Step Name',
		flowIds: 'Flow Names or IDs',
		runStatus: 'Status',
		tags: 'Tags',
	}),
	...fields(TEMPLATES, { pieces: 'Pieces', search: 'Search', tags: 'Tags' }),
	...fields(ALL_CONNECTIONS, {
		displayName: 'Name',
		pieceName: 'Piece Name',
		scope: 'Scope',
		connectionStatus: 'Status',
	}),
	...fields(PROJECTS, { displayName: 'Name', type: 'Type' }),
	...fields(INVITATIONS, { invitationStatus: 'Status', olderThanDays: 'Older Than (Days)' }),
];

const withValue = (parameters: INodeParameters, name: string, value: unknown): INodeParameters =>
	name === 'projectId'
		? { ...parameters, projectId: byId(value) }
		: { ...parameters, filters: { [name]: name === 'folderId' ? byId(value) : (value as string) } };

describe('a field that narrows a list', () => {
	const context = useService({
		data: { projects: 2, flows: 6, flowRuns: 4, connections: 4, invitations: 6, templates: 3 },
	});

	const { refuses } = context;

	test.each(NARROWING)(
		'%s (%s): an expression without a result is refused, and nothing is sent',
		async (label, name, parameters) => {
			const message = `The expression in ${label} returns no value`;
			for (const nothing of [...NOTHINGS, '{{ $json.missing }}', ' {{ $json.missing }}']) {
				const given = withValue(parameters, name, `=${nothing}`);
				await refuses(given, message, 'Nothing was sent');
				await refuses(given, message, 'Nothing was sent', { isRouted: true });
			}
		},
	);

	test.each(NARROWING)(
		'%s (%s): left empty it filters nothing',
		async (_label, name, parameters) => {
			const wanted = await context.records(parameters);
			const urls = requestUrls(context).sort();
			for (const empty of ['', '  ', '={{ "" }}']) {
				context.clearRequests();
				expect(await context.records(withValue(parameters, name, empty))).toEqual(wanted);
				// The path of a list in a release is looked up once and then known.
				expect(requestUrls(context).every((url) => urls.includes(url))).toBe(true);
			}
		},
	);

	test.each([
		[ALL_FLOWS, 'status'],
		[ALL_FLOWS, 'externalIds'],
		[RUNS, 'runStatus'],
		[RUNS, 'flowIds'],
		[ALL_CONNECTIONS, 'connectionStatus'],
	])(
		'%j: a multiple choice that was added without choosing anything filters nothing',
		async (p, n) => {
			const wanted = await context.records(p);
			const added = { ...p, filters: { [n]: [] } };
			expect(await context.records(added)).toEqual(wanted);
			expect(await context.records(added, { isRouted: true })).toEqual(wanted);
		},
	);

	test('an empty list saved in a text field was written by a program: it is refused', async () => {
		await refuses({ ...RUNS, filters: { tags: [] } }, 'The expression in Tags returns no value');
	});

	test.each(['={{ $json.missing }}', '={{ null }}', '={{ [] }}'])(
		'all of Project from the expression %s is refused as well',
		async (projectId) => {
			await refuses({ ...ALL_FLOWS, projectId }, 'The expression in Project returns no value');
		},
	);

	test('a value from an expression is sent', async () => {
		await context.records(
			{
				...ALL_FLOWS,
				projectId: byId('={{ $json.project }}'),
				filters: { externalIds: '={{ $json.ids }}' },
			},
			[{ ids: ['a', undefined, null, ' b '] as never, project: context.data.projects[0].id }],
		);
		expect(requestUrls(context)).toEqual([
			'GET /v1/projects?limit=1000',
			`GET /v1/flows?externalIds=a&externalIds=b&projectId=${context.data.projects[0].id}&limit=1000`,
		]);
	});
});

describe('a field that narrows what the trigger watches', () => {
	const context = useService({ data: { projects: 2, flows: 4, flowRuns: 4 } });

	const activate = async (parameters: INodeParameters) => {
		await new TriggerRun(context, parameters).activate();
	};

	test.each([
		['Project', 'projectId'],
		['Flow', 'flowId'],
	])('%s: nothing is refused, and an empty field means all', async (label, name) => {
		for (const nothing of [...NOTHINGS, ' {{ undefined }}']) {
			await expect(
				activate({ event: 'flowRunFailed', [name]: byId(`=${nothing}`) }),
			).rejects.toThrow(`The expression in ${label} returns no value`);
		}
		expect(context.requests).toEqual([]);
		await activate({ event: 'flowRunFailed', [name]: byId('') });
		expect(requestPaths(context)).toContain('GET /v1/projects');
	});

	test.each(NOTHINGS)('Statuses from %s are refused', async (nothing) => {
		await expect(activate({ event: 'flowRunFailed', statuses: `=${nothing}` })).rejects.toThrow(
			'No status is chosen',
		);
		expect(requestPaths(context)).toEqual([]);
	});

	test.each(['={{ null }}', '={{ undefined }}', '={{ [] }}'])(
		'Clear At from %s is refused',
		async (clearAt) => {
			await expect(
				activate({ event: 'queueBacklog', threshold: 5, options: { clearAt } }),
			).rejects.toThrow('The expression in Clear At returns no value');
			expect(requestPaths(context)).toEqual([]);
		},
	);

	test.each(['', '={{ "" }}', '={{ null }}', '  ', '={{ [] }}', '={{ false }}'])(
		'Threshold %j is refused',
		async (threshold) => {
			await expect(activate({ event: 'queueBacklog', threshold })).rejects.toThrow(
				'Threshold must be a whole number of 0 or more',
			);
			expect(requestPaths(context)).toEqual([]);
		},
	);

	test.each([0, '0', '={{ "0" }}', 7])('Threshold %j is accepted', async (threshold) => {
		await activate({ event: 'queueBacklog', threshold } as INodeParameters);
		expect(requestPaths(context)).not.toEqual([]);
	});
});
