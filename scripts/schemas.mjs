// Makes the schemas that n8n's editor shows before a node has run, so that people can drag fields
// into the next node: one per resource and operation, of the default output. They are derived from
// recordings of real servers, of which they keep names and types only.
//
//   npm run schemas -- <folder of recordings>
//
// The folder holds samples/<version>/*.json, one answer each. Needs the build in dist.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { simplifyFlow } from '../dist/nodes/Activepieces/resources/flow/simplify.js';
import { simplifyTemplate } from '../dist/nodes/Activepieces/resources/flowTemplate/simplify.js';
import { simplifyConnection } from '../dist/nodes/Activepieces/resources/globalConnection/simplify.js';
import { normalizeMetrics } from '../dist/nodes/Activepieces/resources/queue/normalizeMetrics.js';

/** n8n looks in the folder of the node's version. */
const TARGET = fileURLToPath(new URL('../nodes/Activepieces/__schema__/v1.0.0/', import.meta.url));

/** A recorded flow with what the recorded servers had nothing of; the API documents it. */
const documentedFlow = (flow) => ({
	...flow,
	version: {
		...flow.version,
		trigger: { settings: { pieceName: 'piece', triggerName: 'trigger' } },
		connectionIds: ['connection'],
	},
});
const documentedTemplate = (template) => ({ ...template, pieces: ['piece'] });

const folder = process.argv[2];
if (!folder) {
	console.error('Usage: npm run schemas -- <folder of recordings>');
	process.exit(2);
}

/** What the recorded servers answered, by sample, over all releases. */
const bodies = (sample) =>
	readdirSync(join(folder, 'samples')).map(
		(version) =>
			JSON.parse(readFileSync(join(folder, 'samples', version, `${sample}.json`), 'utf8')).body,
	);
const records = (...samples) => samples.flatMap(bodies).flatMap(({ data }) => data);

const flows = records('flows', 'flows-locked');
const templates = records('templates');

const outputs = {
	'flow/getAll': [...flows, documentedFlow(flows[0])].map(simplifyFlow),
	'flowTemplate/delete': [{ deleted: true }],
	'flowTemplate/getAll': [...templates, documentedTemplate(templates[0])].map(simplifyTemplate),
	'folder/get': bodies('folder'),
	// An update answers with the record.
	'folder/update': bodies('folder'),
	'globalConnection/getAll': records('global-connections', 'global-connections-error').map(
		simplifyConnection,
	),
	'queue/getMetrics': bodies('queue-metrics').map(normalizeMetrics),
	'userInvitation/delete': [{ deleted: true }],
};

for (const [pair, items] of Object.entries(outputs)) {
	const file = join(TARGET, `${pair}.json`);
	mkdirSync(dirname(file), { recursive: true });
	const schema = { ...schemaOf(items, pair), version: 1 };
	const style = { ...(await resolveConfig(file)), filepath: file };
	writeFileSync(file, await format(JSON.stringify(schema), style));
	console.log(`${pair}: ${Object.keys(schema.properties).join(', ')}`);
}

function typeOf(value) {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

/** The schema that all values fit. The editor shows the first type, so null comes last. */
function schemaOf(values, where) {
	const found = [...new Set(values.map(typeOf))];
	const types = found.filter((type) => type !== 'null');
	if (types.length !== 1) throw new Error(`${where}: ${found.join(' or ') || 'no value at all'}`);
	const [type] = types;
	const filled = values.filter((value) => value !== null);
	return {
		type: found.includes('null') ? [type, 'null'] : type,
		...(type === 'array' ? { items: schemaOf(filled.flat(), `${where}[]`) } : {}),
		...(type === 'object' ? { properties: propertiesOf(filled, where) } : {}),
	};
}

function propertiesOf(objects, where) {
	const names = [...new Set(objects.flatMap((object) => Object.keys(object)))];
	return Object.fromEntries(
		names.map((name) => {
			const having = objects.filter((object) => Object.hasOwn(object, name));
			return [
				name,
				schemaOf(
					having.map((object) => object[name]),
					`${where}.${name}`,
				),
			];
		}),
	);
}
