import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../transport/isRecord';
import { limits } from '../transport/limits';
import type { EventState, TriggerEvent } from './event';
import { readClock, type ServerClock } from './serviceTime';

/**
 * What a trigger keeps in n8n's static data. n8n stores that with an execution that a poll has started,
 * and after the poll of an activation, but not after a poll that gave nothing. So an older one may come
 * back after a restart, and nothing may be lost or repeated for it.
 */
export interface StoredState {
	/** Of the shape; another one is not read */
	version: number;
	/** What is watched; watching begins anew when it changes */
	fingerprint: string;
	/** Changes when something was given, so that an old state is not taken for the last one */
	revision: string;
	event: EventState;
	/** Of the server; nothing while it never told a time */
	clock?: ServerClock;
}

/** Raised when the shape changes: watching begins anew then. */
export const STATE_VERSION = 1;

/** Under this key in the static data of the node */
const KEY = 'activepieces';

/** Whether n8n hands out an object: by hand, or in an import, anything can come into its place. */
export const isStorable = (staticData: unknown): boolean => isRecord(staticData);

type GetParameter = (name: string, fallback?: unknown) => unknown;

/** Whether a locator or a plain value: what it names. */
const plain = (value: unknown): unknown =>
	isRecord(value) && 'value' in value ? value.value : value;

/** By what they are as JSON: an object of an expression may have no text. */
const inOrder = (values: unknown[]): unknown[] =>
	values
		.map((value) => ({ value, text: JSON.stringify(value) ?? '' }))
		.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text)))
		.map(({ value }) => value);

/**
 * Everything that decides what is watched, as a text that can be compared.
 *
 * @param credentialId in n8n: another credential sees other projects, a new key in the same one does not
 */
export function fingerprintOf(
	event: TriggerEvent,
	{ baseUrl, credentialId }: { baseUrl: string; credentialId: string },
	getParameter: GetParameter,
): string {
	const values = event.watched.map((name) => {
		const value = plain(getParameter(name, null));
		return [name, Array.isArray(value) ? inOrder(value) : value];
	});
	return JSON.stringify([event.value, baseUrl, credentialId, values]);
}

/** A copy, since n8n hands out an object that tells it of every change; nothing of what is too large. */
function copyOf(stored: unknown): unknown {
	try {
		const text = JSON.stringify(stored) ?? 'null';
		return text.length > limits.triggerMaxStateLength ? undefined : JSON.parse(text);
	} catch {
		// Nested too deeply.
		return undefined;
	}
}

/**
 * Reads what an earlier poll has stored. Everything that is not of our shape, whoever wrote it, counts as
 * no state, so that watching begins anew.
 *
 * @returns nothing when there is no state or another thing was watched
 */
export function readState(
	staticData: IDataObject,
	fingerprint: string,
	isState: TriggerEvent['isState'],
): StoredState | undefined {
	const raw = isStorable(staticData) ? staticData[KEY] : undefined;
	if (!isRecord(raw) || raw.fingerprint !== fingerprint) return undefined;
	const stored = copyOf(raw);
	if (!isRecord(stored) || stored.version !== STATE_VERSION) return undefined;
	const { revision, event } = stored;
	if (typeof revision !== 'string' || !isRecord(event) || !isState(event)) return undefined;
	const clock = readClock(stored.clock);
	return { version: STATE_VERSION, fingerprint, revision, event, ...(clock && { clock }) };
}

export function clearState(staticData: IDataObject): void {
	if (isStorable(staticData)) delete staticData[KEY];
}

export function writeState(staticData: IDataObject, state: StoredState): void {
	if (!isStorable(staticData)) return;
	// n8n takes every writing for a change.
	if (JSON.stringify(staticData[KEY]) === JSON.stringify(state)) return;
	staticData[KEY] = { ...state } as IDataObject;
}

export const newRevision = (): string => Math.random().toString(36).slice(2);
