import { stepsFrom } from './flowImport';
import type { FlowRecord, FlowVersionRecord, ServiceData } from './records';
import type { ReleaseTraits } from './releases';

interface PieceSettings {
	pieceName?: string;
	pieceVersion?: string;
}

/**
 * A version as the release stores it. What each migration does to a step was not imitated, except that
 * steps get the installed version of their piece.
 */
function migrated(
	version: FlowVersionRecord,
	{ pieces }: ServiceData,
	{ schemaVersion }: ReleaseTraits,
): FlowVersionRecord {
	const before = version.schemaVersion;
	if (Number(before) >= Number(schemaVersion)) return version;
	const trigger = structuredClone(version.trigger);
	for (const { settings } of stepsFrom(trigger)) {
		const step = (settings ?? {}) as PieceSettings;
		const installed = pieces.find(({ name }) => name === step.pieceName);
		if (installed) step.pieceVersion = installed.version;
	}
	// The file with the version before; `updated` stays (flows/flow-version/flow-version-migration.service.ts).
	const backupFiles = { [before]: `${version.id}-${before}` };
	return { ...version, trigger, schemaVersion, backupFiles };
}

/** Migrates the latest and the published version of a flow, as reading it does, also in a list. */
export function migrate(data: ServiceData, flow: FlowRecord, traits: ReleaseTraits): void {
	const published = data.published.get(flow.id);
	if (published) data.published.set(flow.id, migrated(published, data, traits));
	flow.version = migrated(flow.version, data, traits);
}
