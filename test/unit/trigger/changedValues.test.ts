import { limits } from '../../../nodes/Activepieces/transport/limits';
import { service, useFakes, watch } from './useFakes';

useFakes(() => {
	limits.triggerSeenRecords = 2;
});

/** Flows that are enabled after watching started, so that n8n stores their status. */
async function watchEnabledFlows(count: number) {
	const n8n = await watch('flowStatusChanged');
	for (let index = 0; index < count; index++) {
		service.addFlow({ projectId: service.projectOf(index), status: 'ENABLED' });
	}
	await n8n.poll();
	const isStored = ({ id }: { id: string }) => n8n.stored.includes(id);
	return { n8n, isStored };
}

test('a flow that is disabled again needs no entry in the stored state', async () => {
	const { n8n, isStored } = await watchEnabledFlows(2);
	const [disabled, enabled] = service.flows;
	expect(service.flows.every(isStored)).toBe(true);
	disabled.status = 'DISABLED';
	await n8n.poll();
	expect(n8n.given.at(-1)).toMatchObject({ id: disabled.id, status: 'DISABLED' });
	expect([isStored(disabled), isStored(enabled)]).toEqual([false, true]);
});

test('deleted flows are forgotten when there are too many, and the others continue', async () => {
	limits.triggerMaxValues = 6;
	const { n8n, isStored } = await watchEnabledFlows(20);
	const deleted = service.flows.splice(0, 15);
	const [disabled, ...others] = service.flows;
	disabled.status = 'DISABLED';
	await n8n.poll();
	expect(deleted.filter(isStored)).toHaveLength(2);
	expect(others.every(isStored)).toBe(true);
	await n8n.restart();
	await n8n.poll();
	expect(n8n.given).toHaveLength(21);
});

test.each([0, 3])('a list that is short once (%d flows) causes no events', async (count) => {
	const { n8n } = await watchEnabledFlows(20);
	const { flows } = service;
	service.flows = flows.slice(0, count);
	await n8n.poll();
	service.flows = flows;
	await n8n.poll();
	await n8n.restart();
	expect(n8n.given).toHaveLength(20);
});
