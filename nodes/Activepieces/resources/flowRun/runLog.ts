import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../transport/values';

/** Leaves out the URLs of files with outputs, which open them without a key (recorded). */
export function logWithoutFileUrls(log: unknown): unknown {
	if (!isRecord(log)) return log;
	const clean = (step: unknown): unknown => {
		if (!isRecord(step) || !isRecord(step.output)) return step;
		const { iterations, fileId, size } = step.output;
		if (step.outputType === 'slice') return { ...step, output: { fileId, size } };
		if (!Array.isArray(iterations)) return step;
		return { ...step, output: { ...step.output, iterations: iterations.map(logWithoutFileUrls) } };
	};
	return Object.fromEntries(Object.entries(log).map(([name, step]) => [name, clean(step)]));
}

/**
 * The steps of a log in the order in which they ran, each with its place: `iteration` is that of a loop,
 * from 1; of nested loops a text, such as `2.1`; null outside of loops. The steps of a loop are only in
 * the iterations of its output, and one that fails there leaves the loop itself succeeded (recorded).
 *
 * @param ofRun what each step says of its run
 */
export function stepsOfLog(log: unknown, ofRun: IDataObject = {}, iteration = ''): IDataObject[] {
	if (!isRecord(log)) return [];
	return Object.entries(log).flatMap(([name, step]) => {
		if (!isRecord(step)) return [];
		const { output } = step;
		const isSingle = /^\d+$/.test(iteration);
		const logged = {
			...step,
			...ofRun,
			name,
			iteration: isSingle ? Number(iteration) : iteration || null,
		};
		const isLoop = step.type === 'LOOP_ON_ITEMS' && isRecord(output);
		if (!isLoop || !Array.isArray(output.iterations)) return [logged];
		const { iterations, ...own } = output;
		return [
			{ ...logged, output: own },
			...iterations.flatMap((each: unknown, index: number) =>
				stepsOfLog(each, ofRun, iteration ? `${iteration}.${index + 1}` : String(index + 1)),
			),
		];
	});
}
