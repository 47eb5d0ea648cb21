import { CredentialTestContext, LoadOptionsContext, PackageDirectoryLoader } from 'n8n-core';
import type {
	IBinaryKeyData,
	IDataObject,
	INode,
	INodeParameters,
	NodeApiError,
} from 'n8n-workflow';

import { selectionOf, typeOf, type AnyCredential, type CredentialSource } from './credentials';
import { packageRoot } from './environment';
import { makeNode, makeWorkflow } from './execution';
import { ACTIVEPIECES, createNodeTypes, HELPER, ROUTED, TOOL } from './nodeTypes';

export type NodeSettings = Pick<INode, 'maxTries' | 'retryOnFail' | 'waitBetweenTries'>;

export interface RunOptions {
	credential: CredentialSource;
	parameters: INodeParameters;
	/** Input items; by default one empty item */
	items?: IDataObject[];
	/** Files of each input item */
	binary?: IBinaryKeyData;
	onError?: INode['onError'];
	/** Further settings, from the node's Settings tab */
	settings?: NodeSettings;
	/** Whether the node is the variant that agents use */
	asTool?: boolean;
	/** Whether n8n runs the node through its router */
	isRouted?: boolean;
	/** An expression that the later nodes evaluate for each item of both outputs */
	then?: string;
	/** Called when the run has started, with a function that cancels it */
	started?: (cancel: () => void) => void;
}

export type RunResult = Awaited<ReturnType<Engine['run']>>;

/** What the editor knows of the node when it loads a list of a field, and which part of the list it wants. */
export interface SearchOptions {
	credential: AnyCredential;
	parameters?: INodeParameters;
	filter?: string;
	paginationToken?: string;
}

const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

async function makeEngine() {
	const loader = new PackageDirectoryLoader(packageRoot);
	await loader.loadAll();
	const nodeTypes = createNodeTypes(loader);
	const { description, methods = {} } = nodeTypes.getByNameAndVersion(ACTIVEPIECES, 1);

	/** Start → Activepieces → later nodes */
	function workflowOf({ credential, parameters, onError, settings, ...options }: RunOptions) {
		const { asTool = false, isRouted = false, then = '' } = options;
		const type = asTool ? TOOL : isRouted ? ROUTED : ACTIVEPIECES;
		const node: INode = {
			...makeNode('Activepieces', type, { ...selectionOf(credential), ...parameters }),
			onError,
			...settings,
			credentials: {
				activepiecesApi: { id: '1', name: 'Activepieces' },
				activepiecesSignInApi: { id: '2', name: 'Activepieces Sign-In' },
			},
		};
		const after = makeNode('After', HELPER, { value: then });
		const afterError = makeNode('After Error', HELPER, { value: then });
		const nodes = [makeNode('Start', HELPER, {}), node, after, afterError];
		const connections = {
			Start: { main: [to('Activepieces')] },
			Activepieces: { main: [to('After'), to('After Error')] },
		};
		return { node, ...makeWorkflow({ loader, credential, nodes, connections }) };
	}

	/** The context of the methods that load a list of a field. */
	function inEditor({ credential, parameters = {} }: SearchOptions) {
		const { node, workflow, additionalData } = workflowOf({ credential, parameters });
		// With the defaults, which the editor adds when it opens a workflow.
		const more = { ...additionalData(), currentNodeParameters: node.parameters };
		return new LoadOptionsContext(workflow, node, more, '');
	}

	async function run(options: RunOptions) {
		const { workflow, execute } = workflowOf(options);
		await workflow.expression.acquireIsolate?.();
		try {
			const running = execute(options.items ?? [{}], options.binary);
			options.started?.(() => running.cancel());
			const result = await running;
			const { runData, error } = result.data.resultData;
			const output = (name: string, index = 0) => runData[name]?.[0]?.data?.main?.[index] ?? [];
			return {
				/** Items of the node's first output */
				items: output('Activepieces'),
				/** Items of its error output */
				errorItems: output('Activepieces', 1),
				/** The error that stopped the run */
				error: (runData.Activepieces?.[0]?.error ?? error) as NodeApiError | undefined,
				/** What n8n shows in the output panel */
				hints: (runData.Activepieces?.[0]?.hints ?? []).map(({ message }) => message),
				/** The values of the later nodes' expressions */
				values: output('After').map(({ json }) => json.value),
				errorValues: output('After Error').map(({ json }) => json.value),
				run: result,
			};
		} finally {
			await workflow.expression.releaseIsolate?.();
		}
	}

	return {
		loader,
		run,
		/** Runs the node and returns the JSON of its items; throws the error that stopped it. */
		async records(options: RunOptions) {
			const { items, error } = await run(options);
			if (error !== undefined) throw error;
			return items.map(({ json }) => json);
		},
		/** Runs the node and returns the error that stopped it; throws when there is none. */
		async failure(options: RunOptions) {
			const { error } = await run(options);
			if (error === undefined) throw new Error('The node was expected to stop with an error');
			return error;
		},
		search: async (method: string, { filter, paginationToken, ...node }: SearchOptions) =>
			await methods.listSearch![method].call(inEditor(node), filter, paginationToken),
		/** Loads the list of a field with several records. */
		loadOptions: async (method: string, node: SearchOptions) =>
			await methods.loadOptions![method].call(inEditor(node)),
		mapColumns: async (method: string, node: SearchOptions) =>
			await methods.resourceMapping![method].call(inEditor(node)),
		async testCredential(credential: AnyCredential) {
			const type = typeOf(credential);
			const { testedBy } = description.credentials!.find(({ name }) => name === type)!;
			const { additionalData } = workflowOf({ credential, parameters: {} });
			const context = new CredentialTestContext(additionalData());
			const decrypted = { id: '1', name: 'Activepieces', type, data: credential };
			return await methods.credentialTest![String(testedBy)].call(context, decrypted);
		},
	};
}

/** The built package in n8n's real engine: its loader, router, workflow runner and locator context. */
export type Engine = Awaited<ReturnType<typeof makeEngine>>;

let engine: Promise<Engine> | undefined;

/** The engine of a test file: loading the package takes time, and nothing changes what was loaded. */
export const createEngine = async () => await (engine ??= makeEngine());
