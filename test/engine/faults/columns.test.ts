import { PAIRS } from '../harness/pairs';
import { useService } from '../harness/service';
import { columns, SIZES } from './columns';

const bench = useService({ data: SIZES });

test('every resource and operation pair meets every fault', () => {
	const met = columns.map(({ parameters }) => {
		const { resource, operation } = parameters(bench.service);
		return `${String(resource)}.${String(operation)}`;
	});
	expect([...new Set(met)].sort()).toEqual(Object.keys(PAIRS).sort());
});
