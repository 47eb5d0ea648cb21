/* eslint-disable @typescript-eslint/no-require-imports -- loads the file of each workflow by its name */
import { readExamples } from '../support/exampleFiles';
import type { Example, Runs } from './example';

export type * from './example';

/** The runs of all examples by name. A file may run twice, with other settings. */
export const examples: Record<string, Example> = Object.fromEntries(
	readExamples().flatMap(({ name: file }) => {
		const { runs } = require(`./${file}`) as { runs: Runs };
		return Object.entries(runs).map(([name, run]) => [name, { file: `${file}.json`, ...run }]);
	}),
);
