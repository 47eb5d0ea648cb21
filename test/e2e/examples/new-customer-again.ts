import { changesOf, type Example, rows, setValues } from './example';

/** A customer whose project is there already: it is used, and its flows stay as they are. */
export const example: Example = {
	file: 'new-customer.json',
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
};
