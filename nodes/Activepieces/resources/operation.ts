import type { INodeProperties } from 'n8n-workflow';

import type { Locator } from '../descriptions/locator';
import type { OptionList } from '../descriptions/optionList';
import type { Simplify } from '../descriptions/output';
import type { Concurrency, RunOperation } from '../execution/operationContext';
import type { Endpoint } from '../transport/request/endpoint';

/** One resource and operation pair: what it asks for, what it sends and what it gives. */
export interface Operation {
	/** Display name, for example "Get Many" */
	name: string;
	/** Saved in workflows */
	value: string;
	/** Sentence case with the resource, as the node panel shows it */
	action: string;
	description: string;
	/** What a model reads of the node as a tool: what it does and returns, without its last period */
	toolDescription: string;
	/** Shown in the output panel before the first run, at most 120 characters */
	hint?: string;
	/** As the contract writes it; `test/contract` checks both directions */
	endpoint: Endpoint;
	/** Shown for this pair only; `displayOptions` are derived */
	properties: INodeProperties[];
	/** Makes the fields that the node gives as a rule; a tool's description names them */
	simplify?: Simplify;
	/** How many items are worked on at once, where its endpoint does not say it */
	concurrency?: Concurrency;
	/** Gives the records of one input item */
	run: RunOperation;
}

export interface Resource {
	name: string;
	/** Saved in workflows */
	value: string;
	/** Fields that pick a record, whose From List the node searches */
	locators?: Locator[];
	/** Lists behind fields that take several records, which the node loads */
	optionLists?: OptionList[];
	/** The first is the default, which n8n does not save in workflows: Get Many, or what else only reads */
	operations: Operation[];
}
