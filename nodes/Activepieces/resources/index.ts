import { flow } from './flow';
import { flowTemplate } from './flowTemplate';
import { folder } from './folder';
import { globalConnection } from './globalConnection';
import { queue } from './queue';
import type { Resource } from './operation';
import { userInvitation } from './userInvitation';

export const resources: Resource[] = [
	flow,
	flowTemplate,
	folder,
	globalConnection,
	queue,
	userInvitation,
];
