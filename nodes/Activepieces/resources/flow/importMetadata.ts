import type { IDataObject } from 'n8n-workflow';

import { recordOf, textOf } from '../../transport/values';

/** Where the node keeps what it knows of a flow that it imported, in the metadata of the flow */
const KEY = 'n8nImport';

/** What the node keeps with a flow that it imported. */
export interface ImportMetadata extends IDataObject {
	/** That of the file: not every release creates a flow with a given one */
	externalId?: string;
	/** Fingerprint of the file that was imported last */
	file?: string;
	/** Fingerprint of the draft that the service made of it, in which it may have converted steps */
	draft?: string;
	/** Version of the format of that draft */
	schema?: string;
	/**
	 * False from before the node publishes the flow until the flow is enabled, because the service may be stopped in
	 * between (recorded). A flow that is published, but disabled, and not false, was disabled later
	 */
	enabled?: boolean;
}

export const importMetadataOf = ({ metadata }: IDataObject): ImportMetadata =>
	recordOf(recordOf(metadata)[KEY]);

/** The metadata of a flow with what the node keeps there. */
export const withImportMetadata = (
	{ metadata }: IDataObject,
	ofImport: ImportMetadata,
): IDataObject => ({ ...recordOf(metadata), [KEY]: ofImport });

/** The ID by which files refer to a flow. */
export const fileIdOf = (flow: IDataObject): string =>
	textOf(importMetadataOf(flow).externalId) || textOf(flow.externalId);
