import { OPERATIONS } from '../harness/operations';
import { useService } from '../harness/service';
import { columns, SIZES } from './columns';

const context = useService({ data: SIZES });

test('every resource and operation pair meets every fault', () => {
	const met = columns.map(({ parameters }) => {
		const { resource, operation } = parameters(context.service);
		return `${String(resource)}.${String(operation)}`;
	});
	expect([...new Set(met)].sort()).toEqual(Object.keys(OPERATIONS).sort());
});
