import type { IDataObject } from 'n8n-workflow';

import { KEY_WORDS } from '../../descriptions/knownRecords';
import { refusal, validationError } from '../../transport/errors/error';
import { nameAndId, shortName, someOf } from '../../transport/texts';
import { textOf } from '../../transport/values';
import { fileToImport, simplifyImported } from '../importFile';
import { matchBy, severalOfFile, type FileKey } from '../matchBy';
import { operation } from '../operation';
import { newProject } from '../project/project';
import { readTable, type TableFile } from './fileReader';
import { CREATE_TABLE, makeTable } from './newTable';
import { simplifyTable } from './table';

/**
 * The table of a file among those that have its name or its external ID.
 *
 * @throws {ActivepiecesError} for several, and for another table that a new one would be mistaken for
 */
function tableOfFile(
	tables: IDataObject[],
	file: TableFile,
	mode: FileKey['mode'],
): IDataObject | undefined {
	const [table, ...others] = tables.filter((each) => each[mode] === file[mode]);
	const labels = (of: IDataObject[]) =>
		of.map(({ name, id }) => nameAndId(textOf(name), textOf(id)));
	const other = mode === 'name' ? 'externalId' : 'name';
	if (others.length > 0) {
		throw severalOfFile('table', { mode, text: file[mode] }, labels([table, ...others]));
	}
	if (table !== undefined || tables.length === 0) return table;
	throw refusal(
		`The project has a table with the ${KEY_WORDS[other]} "${shortName(file[other])}", but another ${KEY_WORDS[mode]}: ${someOf(labels(tables))}`,
		`To add the columns of the file to it, set Match By to ${mode === 'name' ? 'External ID' : 'Name'}. To create another table, change the ${KEY_WORDS[other]} in ${file.place}.`,
	);
}

export const importOperation = operation({
	name: 'Import',
	value: 'import',
	description: 'Create a table from an exported table, or add the columns that it lacks',
	hint: 'Removes and changes no column, and imports no records (rows)',
	toolDescription:
		'Creates an Activepieces table from an exported table, or adds the columns that the existing table lacks, and returns the table. Removes and changes no column',
	endpoint: CREATE_TABLE,
	fields: {
		project: newProject('The project to import the table into'),
		matchBy: matchBy(
			'table',
			'exactly the name in the file',
			'. It keeps its name, its external ID and its own columns.',
		),
		file: fileToImport('table', readTable),
	},
	simplify: simplifyImported(simplifyTable),
	async record({ project, matchBy: key, file }, context) {
		const { client } = context;
		if (file[key] === '') {
			throw validationError(
				`The table in ${file.place} has no external ID`,
				'Set Match By to Name, or export the table again.',
			);
		}
		// Of the tries of Retry On Fail the first one knows.
		const wasThere = client.ledger.remembered<boolean>('table existed');
		const table = await makeTable(
			context,
			{ project, ...file },
			{
				isKept: true,
				choose: (tables) => tableOfFile(tables, file, key),
				onExisting() {
					wasThere.value = true;
					return 'addColumns';
				},
			},
		);
		const changed = client.ledger.mayHaveChanged ? 'updated' : 'unchanged';
		return { ...table, change: wasThere.value ? changed : 'created' };
	},
});
