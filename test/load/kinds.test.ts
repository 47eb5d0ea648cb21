import { KINDS, testItems } from './manyItems';

// What grows faster than the items, or is kept for each of them, shows with so many.
testItems(20_000, KINDS);
