import { AT_ONCE, many, testItems } from './manyItems';

testItems(AT_ONCE.map(many));
