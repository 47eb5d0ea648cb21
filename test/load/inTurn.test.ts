import { IN_TURN, many, OTHERS, testItems } from './manyItems';

testItems([...IN_TURN.map(many), ...OTHERS.map((pair): [number, string] => [1_000, pair])]);
