import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values/isRecord';

/** The steps that follow a step: the next one, the first one of a loop, the branches of a router. */
function following({ nextAction, firstLoopAction, children }: IDataObject): unknown[] {
	return [nextAction, firstLoopAction, ...(Array.isArray(children) ? children : [])];
}

/** All steps of a flow. Not recursive, because each step is nested in the one before. */
export function stepsOf(trigger: IDataObject): IDataObject[] {
	const steps: IDataObject[] = [];
	const open: unknown[] = [trigger];
	while (open.length > 0) {
		const step = open.pop();
		if (!isRecord(step)) continue;
		steps.push(step);
		// Pushes one by one, because arguments use the stack.
		for (const each of following(step)) open.push(each);
	}
	return steps;
}
