import { changesOf, rows, type Runs, setValues } from './example';

export const runs: Runs = {
	/** A new customer gets a project with a folder and a flow. */
	'new-customer': {
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
	},
	/** A customer whose project exists: it is used, and its flows stay unchanged. */
	'new-customer-again': {
		// Community allows one team project.
		isForEnterprise: true,
		prepare(workflow, { service }) {
			const project = service.data.projects.find(({ type }) => type === 'TEAM');
			const [own] = service.data.projects;
			const { id: projectId } = project ?? own;
			Object.assign(project ?? own, { externalId: 'c-7' });
			const folder = service.data.folders.find((each) => each.projectId === projectId);
			Object.assign(folder ?? {}, { displayName: 'Customer flows' });
			const { id } = service.live.addFlow({ projectId, folderId: folder?.id, name: 'Theirs' });
			const customer = { customerId: 'c-7', customerName: 'Customer 7', templateFlowId: id };
			setValues(workflow, 'Customer', customer);
		},
		verify(outcome, { service }) {
			const project = service.data.projects.find(({ externalId }) => externalId === 'c-7');
			expect(rows(outcome, 'Create Project')).toMatchObject([{ id: project?.id }]);
			expect(outcome.executed).not.toContain('Import Flow');
			expect(changesOf(service)).toEqual([]);
		},
	},
};
