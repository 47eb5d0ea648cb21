import { connectionRows } from './faults';
import { describeMatrix } from './matrix';

describeMatrix('connections', connectionRows);
