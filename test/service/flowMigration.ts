import { versionsOf } from './flowChanges';
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

/** Migrates the versions of a flow, as reading one does, also in a list. */
export function migrate(data: ServiceData, flow: FlowRecord, traits: ReleaseTraits): void {
	const [latest, ...older] = versionsOf(data, flow).map((each) => migrated(each, data, traits));
	flow.version = latest;
	if (older.length > 0) data.olderVersions.set(flow.id, older);
}
