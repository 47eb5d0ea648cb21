import { isInRange } from './pieces';
import type { ServiceData } from './records';

interface FoundIn {
	field?: { id?: string };
}

/** As far as a conversion reads it. */
interface Settings {
	pieceName?: string;
	pieceVersion?: string;
	actionName?: string;
	input?: { filters?: { filters?: FoundIn[] } };
}

/** The columns that a step of Tables searches. */
const columnsOf = ({ actionName, input }: Settings) =>
	actionName === 'tables-find-records'
		? (input?.filters?.filters ?? []).flatMap(({ field }) => field ?? [])
		: [];

/**
 * If a flow searches columns, each step of Tables gets version 0.3.0 of the piece, installed or not, which searches by
 * external IDs.
 */
function convertTables(all: Settings[], { fields }: ServiceData): void {
	const steps = all.filter(({ pieceName }) => pieceName === '@activepieces/piece-tables');
	const columns = steps.flatMap(columnsOf);
	if (columns.length === 0) return;
	for (const step of steps) step.pieceVersion = '0.3.0';
	for (const column of columns) {
		column.id = fields.find(({ id }) => id === column.id)?.externalId ?? column.id;
	}
}

/** A range of versions becomes the installed version, or the one with which it begins. */
function pin(steps: Settings[], { pieces }: ServiceData): void {
	for (const step of steps) {
		const { pieceName, pieceVersion: range = '' } = step;
		if (!/^[~^]/.test(range)) continue;
		const installed = pieces.find(({ name }) => name === pieceName)?.version;
		step.pieceVersion = installed && isInRange(installed, range) ? installed : range.slice(1);
	}
}

/**
 * Converts the steps of a file to the format of the release, as far as that changes pieces (migrate-v18… and
 * migrate-v19… in flows/flow-version/migrations at 0.86; the first was seen on a real 0.86).
 */
export function convert(
	steps: Array<Record<string, unknown>>,
	[from, to]: [from: number, to: number],
	data: ServiceData,
): void {
	const all = steps.flatMap(({ settings }) => (settings ? [settings as Settings] : []));
	if (from <= 18 && to > 18) convertTables(all, data);
	if (from <= 19 && to > 19) pin(all, data);
}
