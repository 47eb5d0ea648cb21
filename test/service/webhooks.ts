/** What happens when flows are called; a test may change it. */
export class Webhooks {
	/** For how long a call waits for the flow's answer; default of the service 30, recorded with 6 */
	timeoutSeconds = 30;
	/** How runs end, by the flow's id, unless they succeed */
	readonly ends = new Map<string, 'fails' | 'isSlow'>();
	/** What came to flows that ran, in the order of arrival */
	readonly runs: Array<{ flowId: string; version: 'published' | 'draft'; body: unknown }> = [];
}
