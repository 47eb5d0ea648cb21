/** Loads a module outside of Jest, once per process; see test/environment.js. */
declare const requireNative: (<T>(path: string) => T) & { resolve: typeof require.resolve };
