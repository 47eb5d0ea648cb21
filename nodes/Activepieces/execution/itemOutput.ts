import type { IDataObject } from 'n8n-workflow';

export interface BinaryFile {
	content: Buffer;
	mimeType: string;
	fileName?: string;
}

/** A text, or one about several items of the run, which is read when they have run */
export type Hint = string | (() => string);

export interface ItemOutput {
	records: IDataObject[];
	files: Map<IDataObject, BinaryFile>;
	/** Shown with it in the editor, and told a model */
	hints: Hint[];
}
