import Ajv2020, { type ErrorObject } from 'ajv/dist/2020';
import { parse } from 'yaml';

import { read } from '../engine/harness/environment';

/** Closes schemas that name fields, so that others are reported; free-form objects stay free. */
const closed = (_key: unknown, schema: unknown): unknown =>
	typeof schema === 'object' && schema !== null && 'properties' in schema
		? { additionalProperties: false, ...schema }
		: schema;

const ajv = new Ajv2020({ allErrors: true, strict: false });
ajv.addSchema(parse(read('test/contract/openapi.yaml'), closed) as object, 'contract');

/** Turns `/version/agentIds/3` into `version.agentIds[]` */
const dotted = (pointer: string): string =>
	pointer
		.slice(1)
		.replace(/\/\d+(?=\/|$)/g, '[]')
		.replaceAll('/', '.');

function wrongOf({ instancePath, keyword, params, message = '' }: ErrorObject): string {
	if (keyword !== 'required') return `${dotted(instancePath) || 'the record'} ${message}`;
	return `${dotted(`${instancePath}/${String(params.missingProperty)}`)} is missing`;
}

/** How records differ from a schema of the contract, with their number, and unknown fields. */
export function differencesFrom(schema: string, records: unknown[]) {
	const validate = ajv.getSchema(`contract#/components/schemas/${schema}`);
	if (validate === undefined) throw new Error(`The contract has no schema ${schema}`);
	const unknown = new Set<string>();
	const wrong = records.flatMap((record) => {
		validate(record);
		const told = (validate.errors ?? []).filter(({ instancePath, params }) => {
			if (params.additionalProperty === undefined) return true;
			unknown.add(dotted(`${instancePath}/${String(params.additionalProperty)}`));
			return false;
		});
		return [...new Set(told.map(wrongOf))];
	});
	const count = (each: string) => wrong.filter((other) => other === each).length;
	const told = [...new Set(wrong)].map((each) => `${each} (${count(each)} of ${records.length})`);
	return { wrong: told, unknown: [...unknown].sort() };
}
