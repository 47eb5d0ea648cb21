import { auditEvent } from './auditEvent/auditEvent';
import { connection } from './connection/delete';
import { flow } from './flow/getAll';
import { flowRun } from './flowRun/getAll';
import { flowTemplate } from './flowTemplate/flowTemplate';
import { folder } from './folder/folder';
import { globalConnection } from './globalConnection/globalConnection';
import type { Resource } from './operation';
import { project } from './project/delete';
import { queue } from './queue/queue';
import { table } from './table/table';
import { tableRecord } from './tableRecord/create';
import { userInvitation } from './userInvitation/userInvitation';

export const resources: Resource[] = [
	auditEvent,
	connection,
	flow,
	flowRun,
	flowTemplate,
	folder,
	globalConnection,
	project,
	queue,
	table,
	tableRecord,
	userInvitation,
];
