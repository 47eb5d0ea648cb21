import type { IDataObject } from 'n8n-workflow';

import type { Engine } from '../engine/harness/engine';
import { RELEASES, startService, type ServiceData } from '../service';
import { COMMON, type Output } from './facts';
import { cases, casesFor, type Case } from './index';

/** The part of JSON Schema that n8n reads for the preview of an output. */
export interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** Fields below these are data of the service, such as the settings of a step. */
const LEVELS = 2;

const typeOf = (value: unknown): string => {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
};

/** What is common to values of one field; `null` comes last, as in n8n's own schemas. */
function schemaOf(values: unknown[], level = 1): Schema {
	let types = [...new Set(values.map(typeOf))];
	if (types.includes('number')) types = types.filter((type) => type !== 'integer');
	types.sort((a, b) => Number(a === 'null') - Number(b === 'null'));
	const schema: Schema = { type: types.length === 1 ? types[0] : types };
	const items = values.filter((value) => Array.isArray(value)).flat();
	if (items.length > 0) schema.items = schemaOf(items, level);
	const objects = values.filter((value): value is IDataObject => typeOf(value) === 'object');
	if (objects.length === 0 || level === LEVELS) return schema;
	const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
	const inner = (name: string) =>
		objects.filter((object) => name in object).map((object) => object[name]);
	const fields = names.map((name) => [name, schemaOf(inner(name), level + 1)] as const);
	return { ...schema, properties: Object.fromEntries(fields) };
}

/** Gives a connection a flow, and this flow a note and a connection that its project lacks. */
function fillLists({ flows: [flow], projectConnections: [connection] }: ServiceData): void {
	const { version } = flow;
	const settings = { input: { auth: "{{connections['none']}}" } };
	flow.version = {
		...version,
		connectionIds: [connection.externalId],
		trigger: { ...version.trigger, settings },
		...(version.notes !== undefined && { notes: [{ id: 'note', content: 'A note' }] }),
	};
}

/** The output of every operation in all releases, as n8n wants it beside the node, by pair. */
export async function readSchemas(engine: Engine): Promise<Record<string, Schema>> {
	const outputs = new Map<Case, IDataObject[]>(cases.map((each) => [each, []]));
	for (const release of RELEASES) {
		const service = await startService({ release, data: { flows: 20, flowRuns: 30 } });
		fillLists(service.data);
		for (const each of casesFor(release)) {
			const parameters = each.parameters(service.data);
			const { alsoWith } = each.facts;
			const others = alsoWith === undefined ? [] : [{ ...parameters, ...alsoWith }];
			for (const tried of [parameters, ...others]) {
				const records = await engine.records({
					credential: each.credentialFor(service),
					parameters: tried,
				});
				if (records.length === 0) throw new Error(`${each.pair} returned nothing on ${release}`);
				outputs.get(each)?.push(...records);
			}
		}
		await service.close();
	}
	/** The values of a field in all operations with the same output. */
	const valuesOf = (output: Output, name: string) =>
		cases
			.filter((each) => each.output === output)
			.flatMap((each) => outputs.get(each)!)
			.filter((record) => name in record)
			.map((record) => record[name]);
	return Object.fromEntries(
		cases.map((each) => {
			const { fields: own, others } = each.output;
			const names = new Set(
				outputs
					.get(each)!
					.flatMap((record) => Object.keys(record))
					.filter((name) => others === undefined || name in own || name in COMMON),
			);
			const fields = [...names].map((name) => [name, schemaOf(valuesOf(each.output, name))]);
			const properties = Object.fromEntries(fields) as Record<string, Schema>;
			return [each.pair, { type: 'object', properties, version: 1 }];
		}),
	);
}
