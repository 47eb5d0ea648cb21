'use strict';

const { dest, parallel, src } = require('gulp');

// Without `encoding: false` gulp 5 reads every file as text and spoils what is not.
const copy = (from, to) => () => src(from, { encoding: false, allowEmpty: false }).pipe(dest(to));

const icons = copy('icons/*.svg', 'dist/icons');
const nodeFiles = copy('nodes/**/*.json', 'dist/nodes');

icons.displayName = 'icons';
nodeFiles.displayName = 'codex and schemas';

/** Copies what tsc leaves behind: icons, and the codex and the schemas beside the node. */
exports.default = parallel(icons, nodeFiles);
