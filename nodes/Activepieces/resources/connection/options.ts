import type { IDataObject } from 'n8n-workflow';

import { inBrackets, nameOf } from '../../descriptions/listSource';
import type { OptionList } from '../../descriptions/optionList';
import type { Project } from '../../transport/paging/projects';
import { textOf } from '../../transport/values/textOf';
import { fetchProjectSources } from '../project/sources';
import { LIST_CONNECTIONS } from './requests';

/** Turns `@activepieces/piece-slack` into `slack`. */
export const pieceOf = ({ pieceName }: IDataObject): string =>
	textOf(pieceName).replace(/^@activepieces\/piece-/, '');

/**
 * Where a connection belongs. A global connection is listed with every project that may use it, and shown
 * once.
 */
const placeOf = ({ scope }: IDataObject, project: Project): string =>
	scope === 'PLATFORM' ? 'global' : project.name;

/** Connections by their external ID, which flows refer to (recorded). */
export const connectionOptions: OptionList = {
	noun: 'connections',
	loadMethod: 'getConnections',
	sources: async (client, projectId) => {
		const sources = await fetchProjectSources(
			client,
			LIST_CONNECTIONS,
			(connection, project) =>
				nameOf(connection) + inBrackets(pieceOf(connection), placeOf(connection, project)),
			{ projectId },
		);
		return sources.map((source) => ({ ...source, value: ({ externalId }) => externalId }));
	},
};
