/** Match By: how the record that a file belongs to is found in a project. */
import { choice } from '../descriptions/kinds';
import { KEY_WORDS, type RecordKey } from '../descriptions/knownRecords';
import { refusal } from '../transport/errors/error';
import { shortName, someOf } from '../transport/texts';

/** What of a file tells its record */
export type FileKey = RecordKey<'externalId' | 'name'>;

/**
 * @param name which name: `exactly the name in the file`
 * @param effect what happens to the record, after a blank
 */
export const matchBy = (noun: string, name: string, effect = '') =>
	choice('Match By', 'matchBy', {
		options: [
			[
				'External ID',
				'externalId',
				`Finds the ${noun} with the external ID of the file, whatever its name is`,
			],
			['Name', 'name', `Finds the ${noun} with ${name}`],
		],
		default: 'externalId',
		description: `How to find the ${noun} that the file belongs to, in the project${effect}`,
	});

/** The error for several records that a file may belong to. */
export const severalOfFile = (noun: string, { mode, text }: FileKey, labels: string[]) =>
	refusal(
		`The project has ${labels.length} ${noun}s with the ${KEY_WORDS[mode]} "${shortName(text)}"`,
		`They are ${someOf(labels)}. ${mode === 'name' ? 'Rename or delete all but one, or match by external ID' : 'Delete all but one'}.`,
	);
