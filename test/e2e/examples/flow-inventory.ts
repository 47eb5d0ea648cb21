/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads what n8n wrote, never inside n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOf, rows, type Runs, setValues } from './example';

export const runs: Runs = {
	/** Every flow of every project is a line of the file. */
	'flow-inventory': {
		prepare(workflow, { folder }) {
			setValues(workflow, 'Settings', { folder });
			nodeOf(workflow, 'Save to Disk').disabled = false;
		},
		verify(outcome, { folder, service }) {
			const { flows } = service.data;
			expect(
				rows(outcome, 'Columns')
					.map(({ id }) => id)
					.sort(),
			).toEqual(flows.map(({ id }) => id).sort());

			const [file] = readdirSync(folder).filter((name) => name.endsWith('.csv'));
			expect(file).toMatch(/^activepieces-flows-\d{4}-\d\d-\d\d\.csv$/);
			const [header, ...lines] = readFileSync(join(folder, file), 'utf8').trim().split(/\r?\n/);
			expect(header).toMatch(
				/id.*name.*status.*published.*unpublishedChanges.*pieces.*project.*url.*updated/,
			);
			expect(lines).toHaveLength(flows.length);
			for (const { id, projectId, version } of flows) {
				const line = lines.find((each) => each.includes(id));
				expect(line).toContain(version.displayName);
				expect(line).toContain(`${service.origin}/projects/${projectId}/flows/${id}`);
			}
		},
	},
};
