import type { FastifyRequest } from 'fastify';
import { z } from 'zod/v4';

import { auditWriter } from '../auditEvents';
import { authorOf } from '../connections';
import { BY_ID, locate, type Context } from '../context';
import { byCreated } from '../cursor';
import { conflict } from '../errors';
import { makeId } from '../ids';
import { every, like, paged, paginate } from '../list';
import { RecordMaker } from '../make';
import type { VariableRecord } from '../records';
import { object, required, shape, text } from '../schema';

const LIST = paged({ projectId: required(text), name: text });
const VALUE = z.string().min(1, 'formErrors.required');
const UPDATE = shape({ value: VALUE.optional(), metadata: object });
const CREATE = UPDATE.extend({
	projectId: required(text),
	name: z.string().regex(/^[a-zA-Z0-9_]+$/, 'invalidVariableName'),
	value: VALUE,
});

const PATH = '/v1/variables/:id';

/** GET and POST /v1/variables, POST and DELETE of one. No response has a value; GET by ID is missing. */
export function variableRoutes(context: Context): void {
	const { auth, now, route, traits } = context;
	if (!traits.variables) return;
	const audit = auditWriter(context);
	let made = 0;

	route('GET', '/v1/variables', { query: LIST }, (request) => {
		const { platform } = auth.namedProject(request, 'READ_VARIABLE');
		const { projectId, name } = request.query;
		const keep = every<VariableRecord>(
			(row) => row.projectId === projectId,
			like(name, (row) => row.name),
		);
		return paginate(request, platform.variables, keep, byCreated);
	});

	// Names differ in letter case.
	route('POST', '/v1/variables', { body: CREATE }, (request, reply) => {
		const principal = auth.namedProject(request, 'WRITE_VARIABLE');
		const { platform } = principal;
		const { projectId, name, metadata = null } = request.body;
		const isTaken = platform.variables.some(
			(row) => row.projectId === projectId && row.name === name,
		);
		if (isTaken) throw conflict('Variable name already used');
		const owner = authorOf(principal);
		const id = makeId(`${projectId}/new variable`, made++);
		const make = new RecordMaker(traits, owner);
		const variable = { ...make.variable({ id, name, projectId, created: now() }), metadata };
		platform.variables = [...platform.variables, variable];
		audit(principal, 'variable.upserted', { variable }, projectId);
		return reply.status(201).send(variable);
	});

	const rowOf = (request: FastifyRequest) => {
		const { id } = request.params as { id: string };
		const { data, row } = locate(context, ({ variables }) => variables, id);
		const variable = auth.rowOfPath(request, row, 'variable', 'WRITE_VARIABLE');
		return { data, variable, principal: auth.projectPrincipal(request) };
	};

	route('POST', PATH, { ...BY_ID, body: UPDATE }, (request) => {
		const { variable, principal } = rowOf(request);
		const { metadata } = request.body;
		Object.assign(variable, { updated: now(), ...(metadata && { metadata }) });
		audit(principal, 'variable.upserted', { variable }, variable.projectId);
		return variable;
	});

	route('DELETE', PATH, BY_ID, (request) => {
		const { data, variable, principal } = rowOf(request);
		data.variables = data.variables.filter((row) => row !== variable);
		audit(principal, 'variable.deleted', { variable }, variable.projectId);
	});
}
