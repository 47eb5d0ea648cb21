// Beside eslint.config.mjs, which n8n wants unchanged.
import { config } from '@n8n/node-cli/eslint';
import redos from 'eslint-plugin-redos';

// The same result everywhere, with or without Java and the binaries for some platforms.
process.env.RECHECK_BACKEND ??= 'pure';

const { parser } = config.find(({ languageOptions }) => languageOptions?.parser).languageOptions;
const typescript = config.map(({ plugins }) => plugins?.['@typescript-eslint']).find(Boolean);

export default [
	{
		files: ['**/*.ts'],
		ignores: ['**/*.test.ts'],
		languageOptions: { parser },
		// Comments that turn off rules are for those of the other configuration.
		linterOptions: { noInlineConfig: true },
		plugins: { redos },
		rules: {
			// Regular expressions that a hostile text makes slow.
			// The time is for one expression; finding an attack takes some of them seconds.
			'redos/no-vulnerable': ['error', { timeout: 120_000 }],
			'no-restricted-syntax': [
				'error',
				{
					selector: ':matches(NewExpression, CallExpression)[callee.name="RegExp"]',
					message: 'Nobody can tell how slow a pattern made of text is. See methods/search.ts.',
				},
			],
		},
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		plugins: { '@typescript-eslint': typescript },
		rules: { '@typescript-eslint/no-shadow': 'error' },
	},
];
