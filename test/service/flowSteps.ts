import { padded } from './ids';
import type { ReleaseTraits } from './releases';

type Json = Record<string, unknown>;

/** A trigger or an action of a piece; `connection` is the number of its connection. */
interface Kind {
	piece: string;
	version: string;
	name: string;
	title: string;
	connection?: number;
}

const TRIGGERS: Array<Kind & { input: Json; cron?: string }> = [
	{
		...{ piece: 'schedule', version: '0.1.14', name: 'cron_expression', title: 'Cron Expression' },
		input: { cronExpression: '0 7 * * 1-5', timezone: 'Europe/Berlin' },
		cron: '0 7 * * 1-5',
	},
	{
		...{ piece: 'webhook', version: '0.1.24', name: 'catch_webhook', title: 'Catch Webhook' },
		input: { authType: 'none', authFields: {} },
	},
	{
		...{ piece: 'gmail', version: '0.10.3', name: 'gmail_new_email_received', title: 'New Email' },
		input: { subject: 'Invoice', label: null },
		cron: '*/5 * * * *',
		connection: 1,
	},
	{
		...{ piece: 'slack', version: '0.12.1', name: 'new-message' },
		title: 'New Public Message Posted',
		input: { ignoreBots: true },
		connection: 0,
	},
];

const ACTIONS: Kind[] = [
	{ piece: 'http', version: '0.9.4', name: 'send_request', title: 'Send HTTP request' },
	{ piece: 'openai', version: '0.5.2', name: 'ask_chatgpt', title: 'Ask ChatGPT', connection: 2 },
	{
		...{ piece: 'slack', version: '0.12.1', name: 'send_channel_message' },
		title: 'Send Message To A Channel',
		connection: 0,
	},
];

/** A trigger with its steps, and the fields of the flow that repeat parts of it. */
export interface FlowBody {
	trigger: Json;
	connectionIds: string[];
	/** the pieces of trigger and steps */
	pieces: string[];
	/** cron expression of a polling or scheduled trigger */
	cron?: string;
}

function auth(connection: number | undefined): Json {
	return connection === undefined ? {} : { auth: `{{connections['conn-${padded(connection)}']}}` };
}

function settings({ piece, version }: Kind, input: Json, names: Record<string, string>): Json {
	const properties = Object.keys(input).map((key) => [key, { type: 'MANUAL' }]);
	return {
		propertySettings: Object.fromEntries(properties) as Json,
		pieceName: `@activepieces/piece-${piece}`,
		pieceVersion: version,
		input,
		sampleData: {
			sampleDataFileId: 'aF3kP0qLmZ2xYt8RbN5wS',
			sampleDataInputFileId: 'bG4lQ1rMnA3yZu9ScO6xT',
			lastTestDate: '2026-02-11T08:15:30.000Z',
		},
		...names,
	};
}

function action(index: number, last: number, used: Set<number>): Json {
	const kind = ACTIONS[index % ACTIONS.length];
	if (kind.connection !== undefined) used.add(kind.connection);
	const input =
		kind.piece === 'http'
			? { method: 'POST', url: 'https://example.test/hook', headers: {}, failsafe: false }
			: { ...auth(kind.connection), text: "{{trigger['body']['text']}}", channel: 'C012AB3CD' };
	const off = { value: false };
	return {
		name: `step_${index + 1}`,
		valid: true,
		displayName: kind.title,
		type: 'PIECE',
		skip: false,
		settings: {
			...settings(kind, input, { actionName: kind.name }),
			errorHandlingOptions: { retryOnFailure: off, continueOnFailure: off },
		},
		...(index + 1 < last ? { nextAction: action(index + 1, last, used) } : {}),
	};
}

/** A router that asks a model which branch to take; only the first of its branches has a step. */
function aiRouter(last: number, used: Set<number>): Json {
	const next = (index: number) => (index < last ? action(index, index + 1, used) : null);
	const rest = last > 2 ? { nextAction: action(2, last, used) } : {};
	return {
		name: 'step_1',
		valid: true,
		displayName: 'AI Router',
		type: 'AI_ROUTER',
		skip: false,
		settings: {
			text: "{{trigger['body']['text']}}",
			question: 'What is the email about?',
			branches: [
				{ branchType: 'CONDITION', branchName: 'Billing', description: 'About an invoice' },
				{ branchType: 'FALLBACK', branchName: 'Otherwise' },
			],
		},
		children: [next(1), null],
		...rest,
	};
}

function piecesOf(trigger: string, steps: number): string[] {
	const names = [trigger, ...ACTIONS.slice(0, steps).map(({ piece }) => piece)];
	return [...new Set(names)].map((name) => `@activepieces/piece-${name}`);
}

/**
 * The few distinct bodies that generated flows share: one per kind of trigger, with `steps` actions
 * nested by nextAction; the first one of new emails is an AI router in releases that know it. Sharing them
 * keeps 100,000 flows small in memory.
 */
export function flowBodies(steps: number, { aiRouters }: ReleaseTraits): FlowBody[] {
	return TRIGGERS.map((kind) => {
		const used = new Set<number>(kind.connection === undefined ? [] : [kind.connection]);
		const isRouted = aiRouters && kind.piece === 'gmail';
		const nextAction = isRouted ? aiRouter(steps, used) : action(0, steps, used);
		const first = steps > 0 ? { nextAction } : {};
		const input = { ...auth(kind.connection), ...kind.input };
		return {
			trigger: {
				name: 'trigger',
				valid: true,
				displayName: kind.title,
				type: 'PIECE_TRIGGER',
				settings: settings(kind, input, { triggerName: kind.name }),
				...first,
			},
			pieces: piecesOf(kind.piece, steps),
			connectionIds: [...used].map((n) => `conn-${padded(n)}`),
			cron: kind.cron,
		};
	});
}

/** The trigger of a flow nobody has edited yet. */
export const EMPTY_TRIGGER: Readonly<Json> = {
	name: 'trigger',
	valid: false,
	displayName: 'Select Trigger',
	type: 'EMPTY',
	settings: {},
};
