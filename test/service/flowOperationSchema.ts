import { z } from 'zod/v4';

/** The schemas of the operations in the stand-in, by type. */
const STATUSES = ['ENABLED', 'DISABLED'] as const;

const TRIGGERS = ['PIECE_TRIGGER', 'EMPTY'] as const;

/**
 * 0.73's validator names each member of the union in its message: one before CHANGE_STATUS, 21 in all.
 */
const MEMBERS = 21;

/** The body of POST /v1/flows/{id}, by the release's validator. */
export const FLOW_OPERATION_SCHEMAS = { ajv: jsonUnion(), zod: zodUnion() };

function zodUnion(): z.ZodType {
	const status = z.enum(STATUSES);
	const requests = {
		CHANGE_STATUS: z.object({ status }),
		LOCK_AND_PUBLISH: z.object({ status: status.optional() }),
		CHANGE_NAME: z.object({ displayName: z.string() }),
		CHANGE_FOLDER: z.object({ folderId: z.string().nullish() }),
		IMPORT_FLOW: z.looseObject({
			displayName: z.string(),
			trigger: z.looseObject({
				name: z.string(),
				valid: z.boolean(),
				displayName: z.string(),
				type: z.enum(TRIGGERS),
				settings: z.record(z.string(), z.unknown()),
			}),
			schemaVersion: z.string().nullish(),
			notes: z.array(z.unknown()).nullish(),
		}),
	};
	const [first, ...rest] = Object.entries(requests).map(([type, request]) =>
		z.object({ type: z.literal(type), request }),
	);
	return z.union([first, ...rest]);
}

function jsonTrigger(type: string): unknown {
	return {
		type: 'object',
		properties: {
			name: { type: 'string' },
			valid: { type: 'boolean' },
			displayName: { type: 'string' },
			type: { const: type, type: 'string' },
			settings: { type: 'object' },
		},
		required: ['name', 'valid', 'displayName', 'type', 'settings'],
	};
}

function jsonUnion(): unknown {
	const status = { anyOf: STATUSES.map((value) => ({ const: value, type: 'string' })) };
	const requests = {
		CHANGE_STATUS: { type: 'object', properties: { status }, required: ['status'] },
		LOCK_AND_PUBLISH: { type: 'object', properties: { status } },
		CHANGE_NAME: {
			type: 'object',
			properties: { displayName: { type: 'string' } },
			required: ['displayName'],
		},
		CHANGE_FOLDER: {
			type: 'object',
			properties: { folderId: { type: 'string', nullable: true } },
		},
		IMPORT_FLOW: {
			type: 'object',
			properties: {
				displayName: { type: 'string' },
				trigger: { anyOf: TRIGGERS.map(jsonTrigger) },
				schemaVersion: { type: 'string', nullable: true },
			},
			required: ['displayName', 'trigger'],
		},
	};
	const member = (type: string, request: unknown) => ({
		type: 'object',
		properties: { type: { const: type, type: 'string' }, request },
		required: ['type', 'request'],
	});
	const played = Object.entries(requests).map(([type, request]) => member(type, request));
	const others = Array.from({ length: MEMBERS - played.length }, (_, i) =>
		member(`NOT_PLAYED_${i}`, { type: 'object' }),
	);
	return { anyOf: [others[0], ...played, ...others.slice(1)] };
}
