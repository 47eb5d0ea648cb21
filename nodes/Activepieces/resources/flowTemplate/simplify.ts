import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';

/** Releases up to 0.73 give tags as text, later ones as objects with a title. */
const tagNames = (tags: unknown): unknown[] =>
	Array.isArray(tags) ? tags.map((tag: unknown) => (isRecord(tag) ? tag.title : tag)) : [];

/** Releases up to 0.73 hold one flow in `template`, later ones a list in `flows`. */
function flowCount({ template, flows }: IDataObject): number | null {
	if (Array.isArray(flows)) return flows.length;
	return isRecord(template) ? 1 : null;
}

/** The fields of a template that a person looks at, the same whichever release answered. */
export function simplifyTemplate(template: IDataObject): IDataObject {
	return {
		id: template.id ?? null,
		name: template.name ?? null,
		summary: template.summary ?? null,
		description: template.description ?? null,
		type: template.type ?? null,
		tags: tagNames(template.tags) as IDataObject[],
		pieces: template.pieces ?? [],
		flowCount: flowCount(template),
		created: template.created ?? null,
		updated: template.updated ?? null,
	};
}
