/* eslint-disable @n8n/community-nodes/no-restricted-imports -- reads what n8n wrote, never inside n8n */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeOf, type Runs, setValues } from './example';

export const runs: Runs = {
	/** Every flow of every project is a file, which Import accepts. */
	'flow-backup': {
		prepare(workflow, { folder }) {
			setValues(workflow, 'Settings', { folder });
			nodeOf(workflow, 'Save to Disk').disabled = false;
		},
		verify(_outcome, { folder, service }) {
			const { flows } = service.data;
			expect(readdirSync(folder).sort()).toEqual(flows.map(({ id }) => `${id}.json`).sort());
			for (const { id, projectId, version } of flows) {
				const text = readFileSync(join(folder, `${id}.json`), 'utf8');
				expect(JSON.parse(text)).toMatchObject({
					name: version.displayName,
					projectId,
					flow: { displayName: version.displayName, trigger: { name: 'trigger' } },
				});
				// One line for each value, for comparisons with git.
				expect(text.split('\n').length).toBeGreaterThan(10);
			}
		},
	},
};
