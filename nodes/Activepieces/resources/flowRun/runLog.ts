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
