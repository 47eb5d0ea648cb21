import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/Activepieces/resources';
import type { Operation, Resource } from '../../nodes/Activepieces/resources/operation';
import { byId } from '../engine/harness/byId';
import type { AnyCredential } from '../engine/harness/credentials';
import type { Release, Service, ServiceData } from '../service';
import { auditEvent } from './auditEvent';
import { connection } from './connection';
import { pages, type Facts, type Fault, type Output, type ResourceFacts } from './facts';
import { flow } from './flow';
import { flowRun } from './flowRun';
import { flowTemplate } from './flowTemplate';
import { folder } from './folder';
import { globalConnection } from './globalConnection';
import { project } from './project';
import { projectMember } from './projectMember';
import { queue } from './queue';
import { table } from './table';
import { tableRecord } from './tableRecord';
import { user } from './user';
import { userInvitation } from './userInvitation';
import { variable } from './variable';

/** The facts of each resource, by its value. */
export const FACTS: Record<string, ResourceFacts> = {
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
};

/** What every delete returns. */
export const DELETED: Output = { title: 'Deleted record', fields: { deleted: 'Always true' } };

const inOrder = <T extends { id?: unknown }>(records: T[]): T[] =>
	[...records].sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));

/** An operation of the node with its facts, as the suites try it. */
export class Case {
	/** For example `flow.getAll` */
	readonly pair: string;
	/** For example "Flow → Get Many" */
	readonly title: string;
	readonly isList: boolean;
	readonly isDelete: boolean;
	/** The field that selects its record; undefined for most lists, and without one */
	readonly locator?: string;
	readonly faults: Fault[];

	constructor(
		readonly resource: Resource,
		readonly operation: Operation,
		readonly ofResource: ResourceFacts,
		readonly facts: Facts,
	) {
		const { properties, endpoint } = operation;
		this.pair = `${resource.value}.${operation.value}`;
		this.title = `${resource.name} → ${operation.name}`;
		this.isList = properties.some(({ name }) => name === 'returnAll');
		this.isDelete = endpoint.method === 'DELETE';
		const locators = properties.filter(({ type }) => type === 'resourceLocator');
		const own = locators.find(({ name }) => name === resource.locators?.[0].name) ?? locators[0];
		this.locator = facts.locator ?? (this.isList ? undefined : own?.name);
		const hasPages = properties.some(
			({ name, options = [] }) =>
				name === 'options' && options.some((option) => option.name === 'pageSize'),
		);
		this.faults = facts.faults ?? (hasPages ? pages() : [{}]);
	}

	/** What it returns */
	get output(): Output {
		const { facts, ofResource, isDelete, pair } = this;
		const output = facts.docs.output ?? (isDelete ? DELETED : ofResource.output);
		if (output === undefined) throw new Error(`There are no facts of the output of ${pair}`);
		return output;
	}

	/** The records that it returns, or of which it uses the first. */
	records(data: ServiceData): Array<{ id: string }> {
		const { facts, ofResource, isDelete } = this;
		if (facts.records !== undefined) return facts.records(data);
		const records = ofResource.records?.(data) ?? [];
		return isDelete ? [...records].reverse() : records;
	}

	/** The record that its parameters select; an empty text without one. */
	idIn(data: ServiceData): string {
		return this.locator === undefined ? '' : this.records(data)[0].id;
	}

	/** A credential of the service that may use it: its key, if possible. */
	credentialFor({ baseUrl, apiKey, accounts: [{ user, password }] }: Service): AnyCredential {
		if (this.facts.needsSession !== true) return { baseUrl, apiKey };
		return { baseUrl, email: user.email, password };
	}

	/** Minimal parameters as a workflow saves them, for a record that a key may use in every release. */
	parameters(data: ServiceData, id = this.idIn(data)): INodeParameters {
		const { resource, operation, locator, facts, isList } = this;
		return {
			resource: resource.value,
			operation: operation.value,
			...(isList && { returnAll: true }),
			...(locator !== undefined && { [locator]: byId(id) }),
			...facts.parameters?.(id, data),
		};
	}

	/** What it returns for a record: a part of each of its own records. */
	expected(data: ServiceData, id = this.idIn(data)): IDataObject[] {
		const { facts, isList, isDelete } = this;
		if (facts.expected !== undefined) return [facts.expected(id, data)].flat();
		if (isList) return inOrder(this.records(data)).map((record) => ({ id: record.id }));
		return [isDelete ? { deleted: true } : { id }];
	}

	/** Its records in the order of `expected`. */
	inOrder(records: IDataObject[]): IDataObject[] {
		return this.isList ? inOrder(records) : records;
	}

	/** Whether the service has made its change; undefined if it only reads. */
	isChanged(service: Service, id: string, before: ServiceData): boolean | undefined {
		const { facts, ofResource, isDelete } = this;
		if (facts.isChanged !== undefined) return facts.isChanged(service, id, before);
		if (!isDelete) return undefined;
		return !(ofResource.records?.(service.data) ?? []).some((record) => record.id === id);
	}
}

const METHODS = ['GET', 'POST', 'DELETE'];

/** Every operation of the node, those that only read first, and deletes last. */
export const cases: Case[] = resources
	.flatMap((resource) => {
		const ofResource = FACTS[resource.value];
		return Object.entries(ofResource.operations).map(([value, facts]) => {
			const operation = resource.operations.find((each) => each.value === value);
			if (operation === undefined) throw new Error(`${resource.value} has no operation ${value}`);
			return new Case(resource, operation, ofResource, facts);
		});
	})
	.sort(
		({ operation: a }, { operation: b }) =>
			METHODS.indexOf(a.endpoint.method) - METHODS.indexOf(b.endpoint.method),
	);

/** The operations of the contract, for which the node supports Activepieces before 0.79 as well. */
const CONTRACT = [
	...['queue.getMetrics', 'folder.get', 'folder.update', 'globalConnection.getAll', 'flow.getAll'],
	...['flowTemplate.getAll', 'flowTemplate.delete', 'userInvitation.delete'],
];

/** The operations that can be used in a release, nearly all of them with a key. */
export const casesFor = (release: Release): Case[] =>
	release < '0.79'
		? cases.filter(({ pair }) => CONTRACT.includes(pair))
		: cases.filter(
				({ facts, ofResource }) => !(facts.lackedBy ?? ofResource.lackedBy)?.includes(release),
			);

/** @throws when the node has no such operation */
export function caseOf(pair: string): Case {
	const found = cases.find((each) => each.pair === pair);
	if (found === undefined) throw new Error(`There are no facts of ${pair}`);
	return found;
}
