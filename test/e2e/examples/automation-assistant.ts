import { changesOf, modelCredentials, rows, type Runs } from './example';

export const runs: Runs = {
	/** The agent calls its three tools, and its response contains the stand-in's records. */
	'automation-assistant': {
		isForEnterprise: true,
		credentials: modelCredentials,
		verify(outcome, { service }) {
			const [{ output }] = rows(outcome, 'Automation Assistant');
			const answer = String(output);
			const { connections, flows, queue } = service.data;
			for (const tool of ['Get_Flows', 'Get_Connections', 'Get_Queue_Metrics']) {
				expect(answer).toContain(`${tool} says: `);
			}
			expect(flows.filter(({ version }) => answer.includes(version.displayName)).length).toBe(
				Math.min(flows.length, 50),
			);
			for (const { externalId } of connections.slice(0, 50)) expect(answer).toContain(externalId);
			expect(answer).toContain(`"active":${queue.active}`);
			expect(changesOf(service)).toEqual([]);
		},
	},
};
