import { cloudUnreachable, ROUTE_NOT_FOUND } from './errors';
import { containsLike, every, when } from './list';
import { makeTemplate } from './makeTemplate';
import type { TemplateRecord } from './records';
import type { ReleaseTraits } from './releases';
import type { ServiceOptions } from './types';

interface CatalogueQuery {
	pieces?: string[];
	search?: string;
}

/**
 * The response of Activepieces Cloud to a server that requests public templates, passed on unchanged.
 * @throws FrameworkError 500 `fetch failed`, of a server without access to the internet
 */
export function publicTemplates(
	source: ServiceOptions['templatesSource'],
	traits: ReleaseTraits,
	{ pieces, search }: CatalogueQuery = {},
): unknown {
	switch (source) {
		case 'catalogue':
			return page(
				catalogue(traits).filter(
					every<TemplateRecord>(
						when(pieces, (wanted) => (row) => row.pieces.some((piece) => wanted.includes(piece))),
						when(search, (text) => {
							const matches = containsLike(text);
							return (row) => [row.name, row.summary ?? '', row.description].some(matches);
						}),
					),
				),
			);
		case 'none':
			return page([]);
		case 'gone':
			return ROUTE_NOT_FOUND;
		default:
			throw cloudUnreachable();
	}
}

const page = (data: TemplateRecord[]) => ({ data, next: null, previous: null });

function catalogue(traits: ReleaseTraits): TemplateRecord[] {
	return Array.from({ length: 8 }, (_, index) => ({
		...makeTemplate(
			{ index, created: '2025-06-01T08:00:00.000Z', type: 'OFFICIAL' },
			traits,
			'cloud',
		),
		name: `Public template ${index}`,
		platformId: null,
	}));
}
