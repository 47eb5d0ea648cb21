import { changesOf, type Example, rows } from './example';
import { failingFlows } from './failingFlows';

/** The dry run, which is how the file is imported: it shows what failed too often, and switches nothing off. */
export const example: Example = {
	file: 'failing-flows.json',
	prepare(_workflow, { service }) {
		failingFlows(service);
		for (const flow of service.data.flows) flow.ownerId = null;
	},
	verify(outcome, { inbox, service }) {
		const shown = rows(outcome, 'Would Be Switched Off');
		const flow = service.data.flows.find(({ id }) => id === shown[0]?.flowId);
		expect(shown).toEqual([
			{
				flowId: flow?.id,
				flow: flow?.version.displayName,
				failedRuns: 10,
				owner: 'unknown, as the flow has none',
			},
		]);
		expect(outcome.executed).not.toContain('Switch Off');
		expect(changesOf(service)).toEqual([]);
		expect(inbox.received).toEqual([]);
	},
};
