import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../engine/harness/byId';
import type { DataSizes, Release, Service, ServiceData } from '../service';

export { find } from '../service/ids';

export type RecordsOf = (data: ServiceData) => Array<{ id: string }>;

/** Parameters that an operation needs besides its resource, its operation and its locator. */
type Parameters = (id: string, data: ServiceData) => INodeParameters;

/** Some fields of the record that an operation returns, or of each of its records. */
type Expected = (id: string, data: ServiceData) => IDataObject | IDataObject[];

export type Method = 'GET' | 'DELETE' | 'POST';

/** A request of an operation that fails: a column of the table of faults. */
export interface Fault {
	/** What distinguishes it from other requests of the operation */
	name?: string;
	/** As `POST /v1/flows`; by default the endpoint of the operation */
	request?: string;
	/** Number of these requests that succeed first */
	after?: number;
	/** Has every fault; the others share their code with one of these */
	isFull?: true;
	/** Parameters of this column only */
	parameters?: (data: ServiceData) => INodeParameters;
	/** Whether the response has no body, like that of a delete */
	hasNoBody?: true;
	/** Whether the operation checks if the change was made when there was no response */
	looksAfterwards?: true;
	/** Whether it reads a list instead, if the server has no such route */
	hasList?: true;
	/** Whether it reads back what was done, without further requests, and undoes what is half done. */
	readsBack?: true;
	/** Whether it looks at a new flow, with tries of its own, before it removes it */
	looksBeforeRemoval?: true;
	/** Whether a record that is not found was deleted meanwhile, and is left out */
	leavesOutUnknown?: true;
	/** What it may say about an unexpected body: responses of its own are marked */
	saysOfOthers?: RegExp;
	/** What it adds when the change may have been made */
	inDoubt?: RegExp;
}

/** How many input items of an operation on a single record are tested, as far as it differs. */
export interface Load {
	/** Of an operation that changes many records for each item */
	items?: number;
	/** Maximum number of requests for an item; 1 by default */
	requests?: number;
	/** The records of the service besides a few of each kind: one for each of the items that delete one */
	holds?: (items: number) => DataSizes;
	/** These instead of the operation's own, each of which is used in turn */
	records?: RecordsOf;
	locator?: string;
	/** In addition to those of the operation */
	parameters?: Parameters;
	expected?: Expected;
	/** Checks the service afterwards, instead of `isChanged` for each record */
	left?: (service: Service, items: number) => void;
}

/** What `npm run live` needs to know of a read that differs, and how it tries a change. */
export interface Live {
	/** The schema of the contract, if it is not named like the resource */
	schema?: string;
	/** The edition that lacks it; `forwarded` if it passes on another server's response instead */
	lacking?: [edition: 'ce' | 'cloud', how?: 'forwarded'];
	/** `test/tools/live/writes.ts` tries it with a folder or flow of its own; other changes are not tried */
	own?: true;
}

/** What the documents say about an operation. `npm run docs` writes it there. */
interface Docs {
	/** Plan, edition or release that it needs, if not all of its resource need it */
	needs?: string;
	/** The requests that it sends besides its own */
	calls?: string;
	/** What a second run does, perhaps by mode. Reads change nothing, and deletes find no record. */
	secondTime?: string | Record<string, string>;
	/** What it returns, if that is not the record of the resource */
	output?: Output;
}

/** A section of docs/outputs.md. Names, types and order of the fields are those of the output. */
export interface Output {
	/** Its heading */
	title: string;
	/** Events of the trigger that return it as well */
	events?: string;
	/** Which other fields it has, as a sentence, if they depend on the record */
	others?: string;
	/** Descriptions of its fields, except those of `COMMON` */
	fields: Record<string, string>;
}

/** Fields with the same meaning in every output, which docs/outputs.md describes once. */
export const COMMON: Record<string, string> = {
	id: 'ID of the record',
	name: 'Its name',
	url: 'Link to its page in the web app of Activepieces',
	created: 'Time of its creation',
	updated: 'Time of its last change',
	projectId: 'ID of its project',
	projectName:
		'Only in lists and the trigger: name of its project; null if the projects cannot be listed',
	flowId: 'ID of the flow',
	flowName: 'Name of the flow in the version of the run',
};

/** The facts of an operation that neither its description nor its endpoint tells. */
export interface Facts {
	/**
	 * The records that a key may use on every release, of which the first is used. By default those of the
	 * resource; a delete uses the last, so that the other operations find theirs.
	 */
	records?: RecordsOf;
	/** The field that selects the record; by default the locator of the resource, else the first locator */
	locator?: string;
	parameters?: Parameters;
	/** In addition to these: what changes the types of its output, for the schema */
	alsoWith?: INodeParameters;
	/** By default the ID of the record, `{ deleted: true }` for a delete, and for a list its records */
	expected?: Expected;
	/** Whether the service has made the change; by default whether the record of a delete is gone */
	isChanged?: (service: Service, id: string, before: ServiceData) => boolean;
	lackedBy?: Release[];
	/** Whether it is for sessions only: the service refuses keys */
	needsSession?: true;
	/** By default one column; for a list with Page Size two, of which the second fails at a later page */
	faults?: Fault[];
	/** False for an operation on a single record that `npm run load` does not try */
	load?: Load | false;
	live?: Live;
	docs: Docs;
}

export interface ResourceFacts {
	/** Its records in the stand-in */
	records?: RecordsOf;
	/** Plan, edition or release that all of its operations need */
	needs?: string;
	/** Releases in which no key may use an operation that does not name its own */
	lackedBy?: Release[];
	/** The record that its operations return */
	output?: Output;
	/** By the operation's value. Operations that read run first, then those that change something in this order */
	operations: Record<string, Facts>;
}

/** A list of one project, in several pages. */
const paged = ({ projects }: ServiceData): INodeParameters => ({
	projectId: byId(projects[0].id),
	options: { pageSize: 5 },
});

/** A list in several pages, of which the first or a later one fails. */
export const pages = (later: Fault = {}): Fault[] => [
	{ name: 'first page', parameters: paged },
	{ name: 'later page', parameters: paged, after: 1, ...later },
];

/** Without a project, and so of all. */
export const ofAllProjects: INodeParameters = { projectId: byId('') };

/** Only the list of one project is read. */
export const ofOneProject: Fault = {
	parameters: ({ projects }) => ({ projectId: byId(projects[0].id) }),
};

/** The names of the records that operations create and rename. */
export const CREATED = 'Created';
export const renamed = (id: string) => `Renamed ${id}`;
