import { bodyRows } from './faults';
import { describeMatrix } from './matrix';

describeMatrix('bodies', bodyRows);
