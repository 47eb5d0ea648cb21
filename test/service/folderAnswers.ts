import { countFlowsOfFolder } from './flowIndex';
import type { FolderRecord, ServiceData } from './records';
import type { ReleaseTraits } from './releases';

/** A folder as answered, with its counts. */
export function folderAnswer(data: ServiceData, folder: FolderRecord, traits: ReleaseTraits) {
	return {
		...folder,
		numberOfFlows: countFlowsOfFolder(data.flows, folder.id),
		...(traits.folderTables ? { numberOfTables: 0 } : {}),
	};
}

/** The platform that holds a folder. */
export function platformOfFolder(
	folder: FolderRecord,
	{ own, other }: { own: ServiceData; other: ServiceData },
): ServiceData {
	return own.folders.includes(folder) ? own : other;
}
