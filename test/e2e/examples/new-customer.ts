import { type Example, rows, setValues } from './example';

/** A new customer gets a project with a folder and a flow. */
export const example: Example = {
	file: 'new-customer.json',
	// Community allows one team project.
	isForEnterprise: true,
	prepare(workflow, { service }) {
		const { id } = service.live.addFlow({ name: 'First steps' });
		const customer = { customerId: 'c-42', customerName: 'Customer 42', templateFlowId: id };
		setValues(workflow, 'Customer', customer);
	},
	verify(outcome, { service }) {
		const { projects, folders, flows } = service.data;
		const made = projects.filter(({ externalId }) => externalId === 'c-42');
		expect(made.map(({ displayName }) => displayName)).toEqual(['Customer 42']);
		const [{ id }] = made;
		const own = folders.filter(({ projectId }) => projectId === id);
		expect(own.map(({ displayName }) => displayName)).toEqual(['Customer flows']);
		const copies = flows.filter(({ projectId }) => projectId === id);
		expect(copies.map(({ folderId, version }) => [folderId, version.displayName])).toEqual([
			[own[0].id, 'First steps'],
		]);
		expect(rows(outcome, 'Import Flow')).toMatchObject([{ id: copies[0].id, published: false }]);
	},
};
