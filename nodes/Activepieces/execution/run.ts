/** A run of the node: what n8n's engine (`executeItems.ts`) and its router (`router.ts`) do with an input item. */
import type { IBinaryData, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { ApiClient } from '../transport/api/client';
import { NodeRun } from '../transport/client/nodeRun';
import { ActivepiecesError, MAX_MESSAGE, RunEndedError } from '../transport/errors/error';
import { Ledger, outcomeNote } from '../transport/errors/ledger';
import { cleanInput } from '../transport/names';
import { plainText, shortName } from '../transport/texts';
import { Call, type CallContext } from './call';
import type { NodeFields } from './fieldReader';
import type { GroupPlace } from './group';
import { readInputFile } from './inputFile';
import { failedItem, isTool, type ErrorOrigin } from './nodeError';
import {
	RunLater,
	type Hint,
	type ItemOutput,
	type OperationContext,
	type Runnable,
} from './operationContext';
import { parseRequestOptions, type RequestOptions } from './requestOptions';
import { triedItem, type TriedItem } from './retryOnFail';

type ExecutionContext = CallContext &
	Pick<IExecuteFunctions, 'continueOnFail' | 'getExecuteData' | 'getExecutionCancelSignal'>;

/** What n8n's engine and its router give of an item, each in its own way. */
interface ItemAdapter {
	input: INodeExecutionData;
	/** The object of the item that n8n keeps between tries of *Retry On Fail* */
	tryKey: INodeExecutionData;
	json?: IDataObject;
	group?: GroupPlace;
	/** n8n's own function: the binary field with this name; throws if there is none */
	findFile(field: string): IBinaryData;
	showHint: OperationContext['showHint'];
	/** See `OperationContext` */
	runLater?: () => never;
}

/** An item while it runs. */
interface RunningItem extends ItemAdapter {
	index: number;
	call: Call;
	tried: TriedItem;
	/** The name of its file, once it is read */
	fileName?: string;
}

export interface ItemResult {
	/** Its records; with On Error = Continue also the output of a failed item */
	output?: INodeExecutionData[];
	/** The error needs its origin when it leaves the node */
	failed?: { error: unknown; origin: ErrorOrigin };
	ended?: RunEndedError;
	/** Whether it runs once more after others */
	isLater?: true;
	/** Whether it has changed something, or may have */
	mayHaveChanged?: boolean;
}

export const textOfHint = (hint: Hint): string =>
	plainText(typeof hint === 'string' ? hint : hint(), MAX_MESSAGE);

/**
 * One execution of the node for its input items: what n8n's engine and its router have in common. `NodeRun` is what the
 * requests of its items share.
 */
export class Run<N8n extends ExecutionContext> {
	protected readonly nodeRun: NodeRun;
	protected readonly isChange: boolean;
	private parsedOptions?: RequestOptions;

	constructor(
		protected readonly n8n: N8n,
		protected readonly operation: Runnable,
		private readonly fieldsOf: (index: number) => NodeFields,
	) {
		this.nodeRun = new NodeRun(n8n.getExecutionCancelSignal());
		this.isChange = operation.endpoint.method !== 'GET';
	}

	/** After it nothing is sent. */
	end(): void {
		this.nodeRun.end.stop();
	}

	/** Reads Request Options once, because they apply to all items. If they cannot be used, every item fails. */
	protected requestOptions(): RequestOptions {
		this.parsedOptions ??= parseRequestOptions(this.fieldsOf(0));
		return this.parsedOptions;
	}

	/** Runs the operation for an item. */
	async item(index: number, adapter: ItemAdapter): Promise<ItemResult> {
		const { n8n } = this;
		const retryOnFail = n8n.getNode().retryOnFail === true;
		const tried = triedItem(n8n, index, adapter.tryKey, retryOnFail);
		const call = new Call(n8n, this.fieldsOf(index), index);
		const item: RunningItem = { ...adapter, index, call, tried };
		try {
			const output = await this.pair(item, await this.outputOf(item, await this.connect(item)));
			return { output, mayHaveChanged: tried.ledger.mayHaveChanged };
		} catch (error) {
			return this.failure(item, error);
		}
	}

	private async connect({ call, tried }: RunningItem): Promise<ApiClient> {
		return await call.connect(() => ({
			nodeRun: this.nodeRun,
			place: isTool(this.n8n.getNode()) ? 'tool' : 'node',
			ledger: tried.ledger,
			settings: this.requestOptions().settings,
		}));
	}

	/** The output of the item, from an earlier try of *Retry On Fail* if that has completed it. */
	private async outputOf(item: RunningItem, client: ApiClient) {
		const { tried, showHint, index } = item;
		const claim = (key: string) => {
			tried.claimedKey = key;
			const first = client.cached(`first item with ${key}`, () => item);
			if (first.index === index) return undefined;
			const { fileName } = first;
			return fileName === undefined ? `item index ${first.index}` : `"${shortName(fileName)}"`;
		};
		if (tried.output !== undefined) {
			// n8n shows no hints of a try that failed.
			tried.output.hints.forEach((kind, hint) => showHint(hint, kind));
			// For the later items of this try
			if (tried.claimedKey !== undefined) claim(tried.claimedKey);
			return tried.output;
		}
		const output: ItemOutput = { records: [], files: new Map(), hints: new Map() };
		const context = this.contextOf(item, output);
		output.records = await this.operation.run({ ...context, client, claim });
		if (this.isChange) tried.output = output;
		return output;
	}

	private contextOf(
		item: RunningItem,
		{ files, hints }: ItemOutput,
	): Omit<OperationContext, 'client' | 'claim'> {
		const { json, group, input, findFile, showHint, runLater } = item;
		const { fields } = item.call;
		const hint: OperationContext['showHint'] = (message, kind) => {
			hints.set(message, kind);
			showHint(message, kind);
		};
		return {
			...fields,
			json,
			isTool: isTool(this.n8n.getNode()),
			group,
			files,
			showHint: hint,
			runLater,
			onMore(noun) {
				hint(
					`The list of ${noun} is longer than Limit. To get the rest, raise Limit or turn on Return All`,
				);
			},
			hasInputFile: Object.keys(input.binary ?? {}).length > 0,
			readFile: async (label, name) => {
				const file = findFile(fields.get(name, '') as string);
				item.fileName = cleanInput(file.fileName) || undefined;
				return await readInputFile(this.helpers, label, file);
			},
		};
	}

	/** Every context that runs items has these helpers. */
	private get helpers() {
		return this.n8n.helpers as IExecuteFunctions['helpers'];
	}

	/** Pairs every record with the item, because n8n's own guess is wrong when several items return lists. */
	private async pair({ index }: RunningItem, { records, files, hints }: ItemOutput) {
		const pairedItem = { item: index };
		const output = records.map((json): INodeExecutionData => ({ json, pairedItem }));
		for (const [record, { content, mimeType, fileName }] of files) {
			const data = await this.helpers.prepareBinaryData(content, fileName, mimeType);
			output[records.indexOf(record)].binary = { data };
		}
		// An agent takes the length of a page for the total, and reads no hints in the editor.
		if (hints.size > 0 && isTool(this.n8n.getNode())) {
			output.push({ json: { hint: [...hints.keys()].map(textOfHint).join('. ') }, pairedItem });
		}
		return output;
	}

	private failure(item: RunningItem, error: unknown): ItemResult {
		const { n8n } = this;
		const { call, tried, index, fileName, input } = item;
		if (error instanceof RunLater) return { isLater: true };
		const { mayHaveChanged } = tried.ledger;
		if (error instanceof RunEndedError) return { ended: error, mayHaveChanged };
		const note = outcomeNote(error, tried.ledger, this.isChange);
		const isSettled = error instanceof ActivepiecesError && error.outcome === 'settled';
		// The flow has run and has responded, so another try of *Retry On Fail* calls it anew.
		if (isSettled) tried.ledger = new Ledger();
		const origin = { itemIndex: index, secrets: call.secrets, note, fileName };
		const output = n8n.continueOnFail()
			? [failedItem(n8n.getNode(), input, error, origin)]
			: undefined;
		return { output, failed: { error, origin }, mayHaveChanged };
	}
}
