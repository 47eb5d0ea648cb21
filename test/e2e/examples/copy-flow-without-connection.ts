import { copyOf, prepareCopy } from './copyFlow';
import { type Example, rows } from './example';

/** A copy whose project lacks a connection is not published; the connection is named. */
export const example: Example = {
	file: 'copy-flow.json',
	prepare(workflow, { service }) {
		prepareCopy(workflow, service, 'only-in-the-first');
	},
	verify(outcome, { service }) {
		expect(copyOf(service)).toMatchObject({ status: 'DISABLED', publishedVersionId: null });
		const [missing] = rows(outcome, 'Connections Missing');
		expect(String(missing.missingConnections)).toContain('only-in-the-first');
		expect(outcome.executed).not.toContain('Publish Flow');
	},
};
