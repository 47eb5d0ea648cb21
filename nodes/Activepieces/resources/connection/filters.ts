import { type Filter, filter, listFilter } from '../../descriptions/filters';

/** Shared by the lists of connections, so that its value stays when the other resource is chosen. */
export const connectionNameFilter: Filter = filter({
	displayName: 'Name',
	name: 'displayName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Slack',
	description:
		'Return only connections whose name contains this text. Not case-sensitive. % and _ are wildcards.',
});

export const pieceNameFilter: Filter = filter({
	displayName: 'Piece Name',
	name: 'pieceName',
	type: 'string',
	default: '',
	placeholder: 'e.g. @activepieces/piece-slack',
	description:
		'Return only connections of the piece with this exact name, as in the pieceName field of the output',
});

export const connectionStatusFilter: Filter = listFilter(
	{
		displayName: 'Status',
		name: 'connectionStatus',
		type: 'multiOptions',
		options: [
			{ name: 'Active', value: 'ACTIVE' },
			{ name: 'Error', value: 'ERROR' },
			{ name: 'Missing', value: 'MISSING' },
		],
		default: [],
		description:
			'Return only connections with one of these statuses. Those with status Error or Missing need attention.',
	},
	'status',
);
