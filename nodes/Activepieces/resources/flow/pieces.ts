import type { IDataObject } from 'n8n-workflow';

import type { OperationContext } from '../../execution/operationContext';
import type { ApiClient } from '../../transport/api/client';
import { ActivepiecesError } from '../../transport/errors/error';
import { recordOf, textOf } from '../../transport/values';
import { hintAtUnchecked } from '../connection/usage';
import { stepsOf } from './flow';

/** A name of a piece that is safe in a path: `@activepieces/piece-slack` */
const NAME = /^(?:@[\w-][\w.-]*\/)?[\w-][\w.-]*$/;

/** `0.12.1`, or a range of versions that begins with it */
const VERSION = /^[~^]?\d+\.\d+\.\d+$/;

/** Whether a server has a piece, or why that cannot be read. */
async function isInstalled(client: ApiClient, name: string, version: string, projectId: string) {
	const request = {
		endpoint: { method: 'GET', path: `/v1/pieces/${name}` } as const,
		query: { version, projectId },
		subject: { noun: 'piece' },
	};
	return await client.requestRecord(request).then(
		() => true,
		(error: unknown) => {
			if (!(error instanceof ActivepiecesError)) throw error;
			return error.isRecordUnknown ? false : error;
		},
	);
}

/**
 * The pieces of a version of a flow that a server lacks, as `@activepieces/piece-slack 0.12.1`, sorted. From 0.85 on the
 * service imports, publishes and calls such a flow without a word (recorded). Each piece is read once for all input items.
 *
 * @returns undefined when the server does not say it, which a hint says
 */
export async function fetchMissingPieces(
	context: OperationContext,
	projectId: string,
	flowVersion: IDataObject,
): Promise<string[] | undefined> {
	const { client } = context;
	const used = new Map<string, [name: string, version: string]>();
	for (const step of stepsOf(flowVersion.trigger)) {
		const { pieceName, pieceVersion } = recordOf(step.settings);
		const [name, version] = [textOf(pieceName), textOf(pieceVersion)];
		if (NAME.test(name) && VERSION.test(version)) used.set(`${name} ${version}`, [name, version]);
	}
	const pieces = await Promise.all(
		[...used].map(async ([label, [name, version]]) => ({
			label,
			isThere: await client.cached(
				`piece ${label} of ${projectId}`,
				async () => await isInstalled(client, name, version, projectId),
			),
		})),
	);
	const missing = pieces.filter(({ isThere }) => isThere === false).map(({ label }) => label);
	const [error] = pieces.flatMap(({ isThere }) => (typeof isThere === 'boolean' ? [] : isThere));
	if (error !== undefined) hintAtUnchecked(context, 'pieces', flowVersion, error);
	return missing.length === 0 && error !== undefined ? undefined : missing.sort();
}
