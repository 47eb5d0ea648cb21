import type { Service } from '../../service';

export const FIND = 'Billing';
export const REPLACE_WITH = 'Invoicing';

/** Folders of that name in all projects, of which one holds no flow, and one may not have the new name. */
export function prepareFolders({ data }: Service): void {
	const [taken] = data.folders.filter(({ displayName }) => displayName === 'Campaigns');
	taken.displayName = REPLACE_WITH;
	const empty = data.folders.filter(({ displayName }) => displayName === FIND).at(-1);
	for (const flow of data.flows) if (flow.folderId === empty?.id) flow.folderId = null;
}
