import type { Place } from '../service/messages';
import type { BulkKind } from './bulk';

/** What is done: all flows of a project are listed, or one request is sent for each id. */
export interface Task {
	kind: 'list' | BulkKind;
	place: Place;
	/** Of the records; empty for a list */
	ids: string[];
}

/** One way of doing it. */
export interface Contestant {
	/** In tables and pictures */
	title: string;
	/** Requests for a list of so many flows, where it is one after the other */
	pageSize: number;
	/** Loads what is needed; gives what does the task and tells how many records came of it */
	prepare(): Promise<(task: Task) => Promise<number>>;
}

/** The page size the service has where none is asked for. */
export const DEFAULT_PAGE_SIZE = 10;

/** What the node asks for, and every other contestant too unless it says otherwise. */
export const PAGE_SIZE = 1000;
