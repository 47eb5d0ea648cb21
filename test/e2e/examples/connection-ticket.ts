import { rows, type Runs } from './example';

export const runs: Runs = {
	/** Every broken connection has a ticket with its name and status. */
	'connection-ticket': {
		isForEnterprise: true,
		verify(outcome, { service }) {
			const broken = service.data.connections.filter(({ status }) => status !== 'ACTIVE');
			expect(broken.length).toBeGreaterThan(0);
			const tickets = rows(outcome, 'Open Ticket');
			expect(tickets.map(({ title }) => title)).toEqual(
				broken.map(({ displayName }) => `Activepieces connection "${displayName}" needs attention`),
			);
			for (const [index, { status, pieceName }] of broken.entries()) {
				expect(tickets[index].body).toContain(
					`(${pieceName}) has the status ${status}. Last change:`,
				);
				expect(tickets[index].body).not.toMatch(/undefined|null/);
			}
		},
	},
};
