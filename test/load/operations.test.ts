import { KINDS, pairs, testItems } from './manyItems';

testItems(
	2_000,
	pairs.filter((pair) => !KINDS.includes(pair)),
);
