import { auditEvent } from './auditEvent';
import { connection } from './connection';
import { flow } from './flow';
import { flowRun } from './flowRun';
import { flowTemplate } from './flowTemplate';
import { folder } from './folder';
import { globalConnection } from './globalConnection';
import type { Resource } from './operation';
import { project } from './project';
import { projectMember } from './projectMember';
import { queue } from './queue';
import { table } from './table';
import { tableRecord } from './tableRecord';
import { user } from './user';
import { userInvitation } from './userInvitation';
import { variable } from './variable';

export const resources: Resource[] = [
	auditEvent,
	connection,
	flow,
	flowRun,
	flowTemplate,
	folder,
	globalConnection,
	project,
	projectMember,
	queue,
	table,
	tableRecord,
	user,
	userInvitation,
	variable,
];
