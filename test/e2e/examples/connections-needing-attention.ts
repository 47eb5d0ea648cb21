import { rows, type Runs } from './example';

export const runs: Runs = {
	/** Every broken connection is listed with each flow that uses it, or alone. */
	'connections-needing-attention': {
		isForEnterprise: true,
		prepare(_workflow, { service }) {
			// Generated flows use the first connections, which work.
			service.data.connections[0].status = 'ERROR';
			service.data.connections[1].status = 'MISSING';
		},
		verify(outcome, { service }) {
			const { connections, flows } = service.data;
			const expected = connections
				.filter(({ status }) => status !== 'ACTIVE')
				.flatMap(({ displayName, externalId, status }) => {
					const users = flows.filter(({ version }) => version.connectionIds.includes(externalId));
					const names = users.length > 0 ? users.map(({ version }) => version.displayName) : [null];
					return names.map((flow) => `${displayName} ${status} ${flow}`);
				});
			const report = rows(outcome, 'Report').map(
				({ connection, status, flow }) => `${connection} ${status} ${flow ?? null}`,
			);
			expect(report.sort()).toEqual(expected.sort());
			expect(report.some((row) => row.endsWith(' null'))).toBe(true);
			expect(report.some((row) => !row.endsWith(' null'))).toBe(true);
		},
	},
};
