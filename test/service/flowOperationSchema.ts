import { z } from 'zod/v4';

import { jsonEnum, jsonObject } from './schema';

const STATUSES = ['ENABLED', 'DISABLED'] as const;
const TRIGGERS = ['PIECE_TRIGGER', 'EMPTY'] as const;

/**
 * 0.73's validator names each member of the union in its message: one before CHANGE_STATUS, 21 in all.
 */
const MEMBERS = 21;

/** The body of POST /v1/flows/{id}, with the operations that the stand-in knows, by the release's validator. */
export const FLOW_OPERATION_SCHEMAS = { ajv: jsonUnion(), zod: zodUnion() };

function zodUnion(): z.ZodType {
	const status = z.enum(STATUSES);
	const trigger = z.looseObject({
		name: z.string(),
		valid: z.boolean(),
		displayName: z.string(),
		type: z.enum(TRIGGERS),
		settings: z.record(z.string(), z.unknown()),
	});
	const requests = {
		CHANGE_STATUS: z.object({ status }),
		LOCK_AND_PUBLISH: z.object({ status: status.optional() }),
		CHANGE_NAME: z.object({ displayName: z.string() }),
		CHANGE_FOLDER: z.object({ folderId: z.string().nullish() }),
		IMPORT_FLOW: z.looseObject({
			displayName: z.string(),
			trigger,
			schemaVersion: z.string().nullish(),
			notes: z.array(z.unknown()).nullish(),
		}),
	};
	const [first, ...rest] = Object.entries(requests).map(([type, request]) =>
		z.object({ type: z.literal(type), request }),
	);
	return z.union([first, ...rest]);
}

function jsonUnion(): unknown {
	const text = { type: 'string' };
	const optional = { type: 'string', nullable: true };
	const status = jsonEnum(STATUSES);
	const triggers = TRIGGERS.map((value) => {
		const type = { const: value, type: 'string' };
		const [valid, settings] = [{ type: 'boolean' }, { type: 'object' }];
		const fields = { name: text, valid, displayName: text, type, settings };
		return jsonObject(fields, Object.keys(fields));
	});
	const imported = {
		displayName: text,
		trigger: { anyOf: triggers },
		schemaVersion: optional,
	};
	const requests = {
		CHANGE_STATUS: jsonObject({ status }, ['status']),
		LOCK_AND_PUBLISH: jsonObject({ status }),
		CHANGE_NAME: jsonObject({ displayName: text }, ['displayName']),
		CHANGE_FOLDER: jsonObject({ folderId: optional }),
		IMPORT_FLOW: jsonObject(imported, ['displayName', 'trigger']),
	};
	const member = (type: string, request: unknown) =>
		jsonObject({ type: { const: type, type: 'string' }, request }, ['type', 'request']);
	const played = Object.entries(requests).map(([type, request]) => member(type, request));
	const others = Array.from({ length: MEMBERS - played.length }, (_, i) =>
		member(`NOT_PLAYED_${i}`, { type: 'object' }),
	);
	return { anyOf: [others[0], ...played, ...others.slice(1)] };
}
