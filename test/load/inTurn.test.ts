import { IN_TURN, many, OTHERS, testItems } from './manyItems';

testItems([...IN_TURN.map(many), ...OTHERS]);
