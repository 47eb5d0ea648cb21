import { statusRows } from './faults';
import { describeMatrix } from './matrix';

describeMatrix('statuses', statusRows);
