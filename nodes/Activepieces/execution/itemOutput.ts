import type { IDataObject } from 'n8n-workflow';

export interface BinaryFile {
	content: Buffer;
	mimeType: string;
	fileName?: string;
}

export interface ItemOutput {
	records: IDataObject[];
	files: Map<IDataObject, BinaryFile>;
	/** Shown with it in the editor, and told a model */
	hints: string[];
}
