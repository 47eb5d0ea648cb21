'use strict';

const { configureGlobal } = require('fast-check');

// The same commit gives the same result: every property is tried with the same examples each time.
// `FC_SEED=$RANDOM npx jest test/unit` looks at others; a run that fails prints what reproduces it.
configureGlobal({ seed: Number(process.env.FC_SEED ?? 20261121) });
