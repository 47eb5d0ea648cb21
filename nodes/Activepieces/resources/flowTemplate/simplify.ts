import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';

/** Up to 0.73 tags are texts, later objects with a title. */
const tagNames = (tags: unknown): unknown[] =>
	Array.isArray(tags) ? tags.map((tag: unknown) => (isRecord(tag) ? tag.title : tag)) : [];

/** Up to 0.73 `template` contains one flow, later `flows` contains a list. */
function flowCount({ template, flows }: IDataObject): number | null {
	if (Array.isArray(flows)) return flows.length;
	return isRecord(template) ? 1 : null;
}

/** The fields of a template that a person reads, the same for all releases. */
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
