import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import { OPERATIONS } from '../engine/harness/operations';
import { useService } from '../engine/harness/service';
import type { Service } from '../service';

const ITEMS = 20_000;

/** A pair on a single record. */
interface Load {
	pair: string;
	locator: string;
	ids: (service: Service) => string[];
	/** The parameters besides the id */
	more?: INodeParameters;
	/** What is looked at in the item that comes out, and what it has to be */
	seen: (record: IDataObject) => unknown;
	right: (id: string) => unknown;
	/** Holds what the service has afterwards */
	left?: (service: Service) => void;
}

/** As many ids as there are input items, in turns. */
const inTurns = (rows: Array<{ id: string }>) =>
	Array.from({ length: ITEMS }, (_, index) => rows[index % rows.length].id);

const renamed = (id: string) => `Renamed ${id}`;

const loads: Load[] = [
	{
		pair: 'folder.get',
		locator: 'folderId',
		ids: ({ data }) => inTurns(data.folders),
		seen: ({ id }) => id,
		right: (id) => id,
	},
	{
		pair: 'folder.update',
		locator: 'folderId',
		ids: ({ data }) => inTurns(data.folders),
		more: { displayName: '=Renamed {{ $json.id }}' },
		seen: ({ displayName }) => displayName,
		right: renamed,
		left: ({ data }) =>
			expect(data.folders.map(({ displayName }) => displayName)).toEqual(
				data.folders.map(({ id }) => renamed(id)),
			),
	},
	{
		pair: 'flowTemplate.delete',
		locator: 'templateId',
		ids: ({ data }) => data.templates.map(({ id }) => id),
		seen: ({ deleted }) => deleted,
		right: () => true,
		left: ({ data }) => expect(data.templates).toEqual([]),
	},
	{
		pair: 'userInvitation.delete',
		locator: 'invitationId',
		ids: ({ data }) => data.invitations.map(({ id }) => id),
		seen: ({ deleted }) => deleted,
		right: () => true,
		left: ({ data }) => expect(data.invitations).toEqual([]),
	},
];

const context = useService({
	data: { projects: 2, foldersPerProject: 100, templates: ITEMS, invitations: ITEMS },
});

test('every pair on a single record is among these', () => {
	const { data } = context.service;
	const onOneRecord = Object.entries(OPERATIONS)
		.filter(([, parametersOf]) => Object.keys(parametersOf(data)).some((key) => key.endsWith('Id')))
		.map(([pair]) => pair);
	expect(loads.map(({ pair }) => pair).sort()).toEqual(onOneRecord.sort());
});

test.each(loads)(
	'20,000 input items of $pair: each gets its own result, and ten requests are in flight at most',
	async ({ pair, locator, ids, more, seen, right, left }) => {
		const { engine, credential, service } = context;
		const all = ids(service);
		expect(all).toHaveLength(ITEMS);

		const { items, error } = await engine.run({
			credential,
			parameters: {
				...OPERATIONS[pair](service.data),
				[locator]: byId('={{ $json.id }}'),
				...more,
			},
			items: all.map((id) => ({ id })),
		});

		expect(error).toBeUndefined();
		expect(items.map(({ json }) => seen(json))).toEqual(all.map(right));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(all.map((_, item) => ({ item })));
		left?.(service);
		expect(service.inFlight.peak).toBeLessThanOrEqual(10);
		// Each of the ten may have one that is being closed.
		expect(service.connections.peak).toBeLessThanOrEqual(20);
		// Some may ask for the first of two paths before the run knows that it has moved.
		expect(service.requests.length).toBeLessThanOrEqual(ITEMS + 10);
	},
);
