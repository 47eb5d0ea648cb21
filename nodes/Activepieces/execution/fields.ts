export class Fields {
	constructor(
		/** n8n's own function; with `rawExpressions` it returns expressions as the workflow saves them */
		readonly getParameter: (
			name: string,
			fallback?: unknown,
			options?: { rawExpressions: true },
		) => unknown,
		readonly getTimezone: () => string,
	) {}

	get(name: string, fallback?: unknown): unknown {
		return this.getParameter(name, fallback);
	}

	raw(name: string, fallback?: unknown): unknown {
		return this.getParameter(name, fallback, { rawExpressions: true });
	}
}
