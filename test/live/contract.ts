/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads a file of the repository in Node, never inside n8n */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import Ajv2020, { type ErrorObject } from 'ajv/dist/2020';
import { parse } from 'yaml';

import { packageRoot } from '../engine/harness/environment';
import { Mismatch } from './report';

/** A schema that names fields takes no others here, so that those are reported; free-form objects stay free. */
const closed = (_key: unknown, schema: unknown): unknown =>
	typeof schema === 'object' && schema !== null && 'properties' in schema
		? { additionalProperties: false, ...schema }
		: schema;

const text = readFileSync(join(packageRoot, 'test/contract/openapi.yaml'), 'utf8');
const ajv = new Ajv2020({ allErrors: true, strict: false });
ajv.addSchema(parse(text, closed) as object, 'contract');

/** `/version/agentIds/3` as `version.agentIds[]` */
const dotted = (pointer: string): string =>
	pointer
		.slice(1)
		.replace(/\/\d+(?=\/|$)/g, '[]')
		.replaceAll('/', '.');

function wrongOf({ instancePath, keyword, params, message = '' }: ErrorObject): string {
	if (keyword !== 'required') return `${dotted(instancePath) || 'the record'} ${message}`;
	return `${dotted(`${instancePath}/${String(params.missingProperty)}`)} is missing`;
}

/**
 * @returns fields that the contract does not know
 * @throws Mismatch when records lack something of the contract, or have it otherwise, with how many do
 */
export function expectContract(schema: string, records: unknown[]): string[] {
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
	if (wrong.length === 0) return [...unknown].sort();
	const count = (each: string) => wrong.filter((other) => other === each).length;
	const all = [...new Set(wrong)].map((each) => `${each} (${count(each)} of ${records.length})`);
	throw new Mismatch(`The answer is not what the contract says: ${all.join('; ')}`);
}
