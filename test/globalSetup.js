'use strict';

const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** n8n's engine writes its settings to a folder; all test files share one that is removed at the end. */
module.exports = () => {
	process.env.N8N_USER_FOLDER = mkdtempSync(join(tmpdir(), 'n8n-nodes-activepieces-'));
};
