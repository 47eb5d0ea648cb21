import { z } from 'zod/v4';

const status = z.enum(['ENABLED', 'DISABLED']);

/** 0.73 knows no notes. */
const request = {
	CHANGE_STATUS: z.object({ status }),
	LOCK_AND_PUBLISH: z.object({ status: status.optional() }),
	CHANGE_NAME: z.object({ displayName: z.string() }),
	CHANGE_FOLDER: z.object({ folderId: z.string().nullish() }),
	IMPORT_FLOW: z.looseObject({
		displayName: z.string(),
		trigger: z.union(
			(['PIECE_TRIGGER', 'EMPTY'] as const).map((type) =>
				z.looseObject({
					name: z.string(),
					valid: z.boolean(),
					displayName: z.string(),
					type: z.literal(type),
					settings: z.record(z.string(), z.unknown()),
				}),
			),
		),
		schemaVersion: z.string().nullish(),
		notes: z.array(z.unknown()).nullish(),
	}),
};

const operation = (type: string, of: z.ZodType) => z.object({ type: z.literal(type), request: of });

const played = Object.entries(request).map(([type, of]) => operation(type, of));

/**
 * 0.73's validator names each member of the union in its message: one before CHANGE_STATUS, 21 in all.
 */
const [first, ...others] = Array.from({ length: 21 - played.length }, (_, i) =>
	operation(`NOT_PLAYED_${i}`, z.looseObject({})),
);

/** The body of POST /v1/flows/{id}, with the operations that the stand-in knows, by the release's validator. */
export const FLOW_OPERATION_SCHEMAS = {
	ajv: z.union([first, ...played, ...others]),
	zod: z.union(played),
};
