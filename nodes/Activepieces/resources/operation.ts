import type { INodeProperties } from 'n8n-workflow';

import type { Locator, OptionList } from '../descriptions/locator';
import type { Simplify } from '../descriptions/output';
import type { Together } from '../execution/group';
import type { RunOperation } from '../execution/operationContext';
import type { Endpoint } from '../transport/client/request';

/** A pair of resource and operation: its fields, its request and its output. */
export interface Operation {
	name: string;
	value: string;
	/** As the node panel shows it; by default the name with the resource in sentence case */
	action?: string;
	description: string;
	/** Description for a model that uses the node as a tool: what it does and returns, without the final period */
	toolDescription: string;
	/** Shown in the output panel before the first run, at most 120 characters */
	hint?: string;
	/** Whether it destroys something although its endpoint is no DELETE; its hint is a warning */
	isIrreversible?: true;
	/** As written in the contract; `test/contract` compares both directions */
	endpoint: Endpoint;
	properties: INodeProperties[];
	/** Picks the fields of the default output, which a tool's description lists */
	simplify?: Simplify;
	/** How many items run at once, if the endpoint does not decide */
	concurrency?: number;
	/** For items that are sent together, which `join` the group of the context */
	together?: Together;
	run: RunOperation;
}

export type OperationTexts = Pick<Operation, 'description' | 'toolDescription' | 'hint'>;

export interface Resource {
	name: string;
	/** Saved by workflows */
	value: string;
	/** Fields that select a record, whose From List the node searches */
	locators?: Locator[];
	/** Lists of fields that select several records, which the node loads */
	optionLists?: OptionList[];
	/**
	 * The first one is the default, which n8n does not save in workflows: Get Many, or another one that only
	 * reads
	 */
	operations: Operation[];
}
