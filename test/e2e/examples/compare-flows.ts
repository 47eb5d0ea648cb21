import { changesOf, rows, type Runs, setValues } from './example';

export const runs: Runs = {
	/** What is in one project only, what is equal in both, and what is not. */
	'compare-flows': {
		prepare(workflow, { service }) {
			const [a, b] = [service.live.addProject('Test'), service.live.addProject('Production')];
			const add = (projectId: string, name: string) => service.live.addFlow({ projectId, name });
			add(a.id, 'Only A');
			add(b.id, 'Only B');
			for (const { id } of [a, b]) add(id, 'Equal');
			const [changed] = [add(a.id, 'Changed'), add(b.id, 'Changed')];
			changed.version = {
				...changed.version,
				trigger: { ...changed.version.trigger, displayName: 'Another trigger' },
			};
			setValues(workflow, 'Settings', { projectA: a.id, projectB: b.id });
		},
		verify(outcome, { service }) {
			expect(rows(outcome, 'Only in A')).toMatchObject([{ name: 'Only A' }]);
			expect(rows(outcome, 'Only in B')).toMatchObject([{ name: 'Only B' }]);
			expect(rows(outcome, 'Same')).toMatchObject([{ name: 'Equal' }]);
			expect(rows(outcome, 'Different')).toMatchObject([{ keys: { name: 'Changed' } }]);
			expect(changesOf(service)).toEqual([]);
		},
	},
};
