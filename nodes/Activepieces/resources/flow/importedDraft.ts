import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../transport/api/client';
import { ActivepiecesError } from '../../transport/errors/error';
import { textOf } from '../../transport/values';
import { contentOf, type FlowContent } from './content';
import { hasOutlineOf } from './draft';
import { CHANGE_FLOW, versionOf, wasPublished } from './flow';
import { importMetadataOf, withImportMetadata, type ImportMetadata } from './importMetadata';
import { missingSecrets, withoutEnteredSecrets } from './webhookSecrets';

/*
 * What the node stores with a flow that it imports, and what that says later: whether its draft is of the same file, whether
 * somebody has changed it since, and whether the flow was disabled since.
 */

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Of a file as the node reads it, however it is formatted. */
export const fingerprint = (content: FlowContent): string => hashOf(JSON.stringify(content));

/** The version of a piece, and the part of it that a range fixes: `0.12` of `~0.12.1`, `1` of `^1.4.0` */
const PIECE_VERSION = /("pieceVersion":")[~^]?(0\.\d+|[1-9]\d*)\.[^"]*/g;

/** The content of the draft of a flow. */
export const draftOf = (flow: IDataObject) => contentOf(versionOf(flow), { withSecrets: true });

/**
 * The fingerprints of a draft: as it is, and without what a publish changes up to 0.79, which replaces ranges of
 * versions by versions (recorded). Secrets that the file leaves out, and somebody has entered, are no change.
 */
function fingerprintsOf(draft: FlowContent, file: FlowContent) {
	const { trigger } = draft;
	const isEntered = missingSecrets(file.trigger).length > 0;
	const text = JSON.stringify({
		...draft,
		trigger: isEntered ? withoutEnteredSecrets(trigger) : trigger,
	});
	const hasRange = /"pieceVersion":"[~^]/.test(text);
	const [asItIs, published] = [text, text.replace(PIECE_VERSION, '$1$2')].map(hashOf);
	return { asItIs, published, toStore: hasRange ? published : asItIs };
}

/**
 * Which file a draft was imported from. The same file is then not imported again, even if the service has converted its
 * steps, and a draft that somebody has changed since is known.
 */
export const importMetadataFor = (draft: FlowContent, file: FlowContent): ImportMetadata => ({
	file: fingerprint(file),
	draft: fingerprintsOf(draft, file).toStore,
	schema: draft.schemaVersion ?? undefined,
});

/** Whether a later release of the server has converted the draft of a flow since the last import. */
export function isConverted(flow: IDataObject): boolean {
	const { schema } = importMetadataOf(flow);
	return schema !== undefined && schema !== versionOf(flow).schemaVersion;
}

/**
 * Whether the draft of a flow is what the last import made of it, so that nobody has changed it since. The fingerprint
 * does not show that of a draft that was converted, but the draft names the last user who edited it. An import
 * with a key changes no such name (recorded).
 */
export function isUnedited(flow: IDataObject, file: FlowContent): boolean {
	const { asItIs, published } = fingerprintsOf(draftOf(flow), file);
	const isUntouched = isConverted(flow) && textOf(versionOf(flow).updatedBy) === '';
	return isUntouched || [asItIs, published].includes(textOf(importMetadataOf(flow).draft));
}

/** Whether the draft of a flow is what the service made of a file. */
export const isImportOf = (flow: IDataObject, content: FlowContent): boolean =>
	importMetadataOf(flow).file === fingerprint(content) &&
	isUnedited(flow, content) &&
	hasOutlineOf(flow, content);

/** Adds to what the node stores with a flow, unless it is there already. */
export async function storeImportMetadata(
	client: ApiClient,
	flow: IDataObject,
	more: ImportMetadata,
): Promise<IDataObject> {
	const ofImport = { ...importMetadataOf(flow), ...more };
	if (JSON.stringify(ofImport) === JSON.stringify(importMetadataOf(flow))) return flow;
	const metadata = withImportMetadata(flow, ofImport);
	const send = async () =>
		await client.requestRecord({
			endpoint: CHANGE_FLOW,
			id: flow.id,
			subject: { noun: 'flow' },
			body: { type: 'UPDATE_METADATA', request: { metadata } },
		});
	return await send()
		.catch(async (error: unknown) => {
			// The same metadata once more change nothing.
			if (error instanceof ActivepiecesError && error.outcome === 'maybe') return await send();
			throw error;
		})
		.then(
			() => ({ ...flow, metadata }),
			(error: unknown) => {
				// The flow is as the file says, and the next run imports the file once more.
				if (error instanceof ActivepiecesError) return flow;
				throw error;
			},
		);
}

/** Before a flow is published */
export const TO_ENABLE: ImportMetadata = { enabled: false };

/**
 * Whether a flow was disabled after it was published, by somebody or by the service, which disables a flow whose pieces it
 * cannot install, and keeps no reason (read in its source). Of the tries of *Retry On Fail* the first one knows,
 * because a publication that is cut leaves the flow disabled, too.
 */
export function isDisabledSince({ ledger }: ApiClient, flow: IDataObject): boolean {
	const first = ledger.remembered<boolean>(`disabled ${textOf(flow.id)}`);
	const isDisabled = wasPublished(flow) && flow.status === 'DISABLED';
	return (first.value ??= isDisabled && importMetadataOf(flow).enabled !== false);
}
