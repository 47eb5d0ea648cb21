import { packageRoot } from './environment';

import {
	CredentialTestContext,
	LoadOptionsContext,
	PackageDirectoryLoader,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type NodeApiError,
	Workflow,
} from 'n8n-workflow';

import { type AnyCredential, type CredentialSource, typeOf } from './credentials';
import { additionalData, workflowData } from './execution';
import { ACTIVEPIECES, createNodeTypes, EVALUATE, ROUTED, START, TOOL } from './nodeTypes';

/** n8n's own settings of every node. */
export type NodeSettings = Pick<
	INode,
	'alwaysOutputData' | 'executeOnce' | 'maxTries' | 'retryOnFail' | 'waitBetweenTries'
>;

export interface RunOptions {
	credential: CredentialSource;
	/** Parameters of the node as a workflow saves them */
	parameters: INodeParameters;
	/** Input items; by default one empty item */
	items?: IDataObject[];
	onError?: INode['onError'];
	/** Further settings, from the node's Settings tab */
	settings?: NodeSettings;
	/** Whether the node is the variant that agents use */
	asTool?: boolean;
	/** Whether n8n runs the node through its router */
	isRouted?: boolean;
	/** An expression that a later node evaluates for each item of the first output */
	then?: string;
	/** The same for each item of the error output */
	thenOnError?: string;
	/** Called when the run has started, with a function that cancels it */
	started?: (cancel: () => void) => void;
}

export interface RunResult {
	/** Items of the node's first output */
	items: INodeExecutionData[];
	/** Items of its error output */
	errorItems: INodeExecutionData[];
	/** The error that stopped the run */
	error?: NodeApiError;
	/** What n8n shows in the output panel */
	hints: string[];
	/** The values of the later nodes' expressions */
	values: unknown[];
	errorValues: unknown[];
	run: IRun;
}

export interface SearchOptions {
	credential: AnyCredential;
	parameters?: INodeParameters;
	filter?: string;
	paginationToken?: string;
}

/** What the editor knows of the node when it loads a list of a field. */
type InEditor = Pick<SearchOptions, 'credential' | 'parameters'>;

/** The kinds of lists that the editor loads, by the names of n8n. */
type ListKind = 'listSearch' | 'loadOptions' | 'resourceMapping';

function makeNode(name: string, type: string, parameters: INodeParameters): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

const asItems = (records: IDataObject[]) => records.map((json): INodeExecutionData => ({ json }));

const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

async function makeEngine() {
	const loader = new PackageDirectoryLoader(packageRoot);
	await loader.loadAll();
	const nodeTypes = createNodeTypes(loader);

	function workflowOf({
		parameters,
		onError,
		settings,
		asTool = false,
		isRouted = false,
		then = '',
		thenOnError = '',
	}: Omit<RunOptions, 'credential'>) {
		const node: INode = {
			...makeNode('Activepieces', asTool ? TOOL : isRouted ? ROUTED : ACTIVEPIECES, parameters),
			onError,
			...settings,
			credentials: {
				activepiecesApi: { id: '1', name: 'Activepieces' },
				activepiecesSignInApi: { id: '2', name: 'Activepieces Sign-In' },
			},
		};
		const after = makeNode('After', EVALUATE, { value: then });
		const afterError = makeNode('After Error', EVALUATE, { value: thenOnError });
		const data = workflowData([makeNode('Start', START, {}), node, after, afterError], {
			Start: { main: [to('Activepieces')] },
			Activepieces: { main: [to('After'), to('After Error')] },
		});
		return { data, workflow: new Workflow({ ...data, nodeTypes }) };
	}

	/** A method of an editor's list, and the context that n8n passes to it. */
	function listMethod<Kind extends ListKind>(
		kind: Kind,
		name: string,
		{ credential, parameters = {} }: InEditor,
	) {
		const { methods } = nodeTypes.getByNameAndVersion(ACTIVEPIECES, 1);
		type Methods = NonNullable<NonNullable<INodeType['methods']>[Kind]>;
		const method = (methods?.[kind] as Methods | undefined)?.[name as keyof Methods];
		if (method === undefined) throw new Error(`The node has no ${kind} ${name}`);
		const { data, workflow } = workflowOf({ parameters });
		const additional = additionalData(loader, credential, data, 'manual');
		// With the defaults, which the editor adds when it opens a workflow.
		const currentNodeParameters = data.nodes[1].parameters;
		const context = new LoadOptionsContext(
			workflow,
			data.nodes[1],
			{ ...additional, currentNodeParameters },
			'',
		);
		return { method, context };
	}

	async function run(options: RunOptions): Promise<RunResult> {
		const { data, workflow } = workflowOf(options);
		await workflow.expression.acquireIsolate?.();
		try {
			const items = asItems(options.items ?? [{}]);
			const execute = new WorkflowExecute(
				additionalData(loader, options.credential, data, 'manual'),
				'manual',
				createRunExecutionData({
					executionData: {
						nodeExecutionStack: [{ node: data.nodes[0], data: { main: [items] }, source: null }],
					},
				}),
			);
			const running = execute.processRunExecutionData(workflow);
			options.started?.(() => running.cancel());
			const result = await running;
			const { runData, error } = result.data.resultData;
			const output = (name: string, index = 0) => runData[name]?.[0]?.data?.main?.[index] ?? [];
			return {
				items: output('Activepieces'),
				errorItems: output('Activepieces', 1),
				error: (runData.Activepieces?.[0]?.error ?? error) as NodeApiError | undefined,
				hints: (runData.Activepieces?.[0]?.hints ?? []).map(({ message }) => message),
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
		/** Runs Start → Activepieces → later nodes as one workflow. */
		run,
		/** Runs the node and returns the JSON of its items; throws the error that stopped it. */
		async records(options: RunOptions): Promise<IDataObject[]> {
			const { items, error } = await run(options);
			if (error !== undefined) throw error;
			return items.map(({ json }) => json);
		},
		/** Runs the node and returns the error that stopped it; throws when there is none. */
		async failure(options: RunOptions): Promise<NodeApiError> {
			const { error } = await run(options);
			if (error === undefined) throw new Error('The node was expected to stop with an error');
			return error;
		},
		async search(name: string, { filter, paginationToken, ...node }: SearchOptions) {
			const { method, context } = listMethod('listSearch', name, node);
			return await method.call(context, filter, paginationToken);
		},
		/** Loads the list of a field with several records. */
		async loadOptions(name: string, node: InEditor) {
			const { method, context } = listMethod('loadOptions', name, node);
			return await method.call(context);
		},
		/** Loads the columns of a resource mapper. */
		async mapColumns(name: string, node: InEditor) {
			const { method, context } = listMethod('resourceMapping', name, node);
			return await method.call(context);
		},
		async testCredential(credential: AnyCredential) {
			const { description, methods } = nodeTypes.getByNameAndVersion(ACTIVEPIECES, 1);
			const type = typeOf(credential);
			const testedBy = description.credentials?.find(({ name }) => name === type)?.testedBy;
			const test = typeof testedBy === 'string' ? methods?.credentialTest?.[testedBy] : undefined;
			if (test === undefined) throw new Error('The credential has no test');
			const { data } = workflowOf({ parameters: {} });
			const context = new CredentialTestContext(additionalData(loader, credential, data, 'manual'));
			const decrypted = { id: '1', name: 'Activepieces', type, data: credential };
			return await test.call(context, decrypted);
		},
	};
}

/** The built package in n8n's real engine: its loader, router, workflow runner and locator context. */
export type Engine = Awaited<ReturnType<typeof makeEngine>>;

let engine: Promise<Engine> | undefined;

/** The engine of a test file: loading the package takes time, and nothing changes what was loaded. */
export const createEngine = async () => await (engine ??= makeEngine());
