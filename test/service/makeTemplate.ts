import { EMPTY_TRIGGER, type FlowBody } from './flowSteps';
import { makeId, padded } from './ids';
import type { TemplateRecord } from './records';
import type { ReleaseTraits } from './releases';

/** What a template is made from. */
export interface TemplateSeed {
	index: number;
	created: string;
	/** default: the type of a platform's own templates in the release */
	type?: TemplateRecord['type'];
	/** of a template of type PROJECT */
	projectId?: string;
	/** trigger and steps of its flow; without them the flow is empty */
	body?: FlowBody;
}

/**
 * Template NN in the shape of a release: even ones are tagged `even`, odd ones `odd`, up to 0.73 also
 * `n0`…`n4`.
 */
export function makeTemplate(
	seed: TemplateSeed,
	traits: ReleaseTraits,
	platformId: string,
): TemplateRecord {
	const { index, created, type, projectId, body } = seed;
	const flowTrigger = body?.trigger ?? EMPTY_TRIGGER;
	const parity = index % 2 === 0 ? 'even' : 'odd';
	const name = `Template ${padded(index, 2)}`;
	const common = {
		id: makeId(`${platformId}/template/${type ?? 'own'}`, index),
		created,
		updated: created,
		name,
		description: `Description ${index} for ${parity} Template`,
		platformId,
		blogUrl: index === 0 ? 'https://example.test/blog/0' : null,
		metadata: null,
		pieces: body?.pieces ?? [],
	};
	const content = {
		valid: body !== undefined,
		displayName: name,
		schemaVersion: traits.schemaVersion,
	};
	if (traits.templatesPath === '/v1/flow-templates') {
		return {
			...common,
			type: type ?? 'PLATFORM',
			projectId: projectId ?? null,
			template: { ...content, trigger: flowTrigger },
			tags: [parity, `n${index % 5}`],
		};
	}
	const trigger = { ...flowTrigger, lastUpdatedDate: '2026-01-01T08:00:19.619Z' };
	return {
		...common,
		summary: `Summary ${index}`,
		type: type ?? 'CUSTOM',
		status: 'PUBLISHED',
		flows: [{ ...content, notes: [], trigger }],
		tables: null,
		tags: [{ icon: '', color: '#112233', title: parity }],
		author: 'Ada Admin',
		categories: [],
	};
}
