import * as fc from 'fast-check';

import { LIST_FLOWS } from '../../nodes/Activepieces/resources/flow/flow';
import { RETRY_RUN } from '../../nodes/Activepieces/resources/flowRun/flowRun';
import { DELETE_TEMPLATE, LIST_TEMPLATES } from '../../nodes/Activepieces/resources/flowTemplate';
import { errorForConnection, errorForResponse } from '../../nodes/Activepieces/transport/errorFor';
import { responseKind } from '../../nodes/Activepieces/transport/messageKind';
import { type ErrorContext, fillTemplate } from '../../nodes/Activepieces/transport/messageParts';
import { MESSAGES } from '../../nodes/Activepieces/transport/messages';
import { createRedactor, NO_SECRETS } from '../../nodes/Activepieces/transport/redact';
import { type ApiResponse, parseResponse } from '../../nodes/Activepieces/transport/response';

const CONTEXT: ErrorContext = {
	method: 'GET',
	path: '/v1/folders/{id}',
	noun: 'folder',
	field: 'Folder',
	id: 'abc',
	baseUrl: 'https://activepieces.example/api',
	credentialKind: 'apiKey',
	place: 'node',
};

type Answer = { status: number; code?: string; message?: string; params?: object } & Way;
type Way = { html?: boolean; location?: string };

/** Responses of the service: with a code of its own, in the form of its framework, or as a web page. */
function answer({ status, code, message, params, html, location }: Answer): ApiResponse {
	const ofFramework = { statusCode: status, error: '', message };
	const body = code === undefined ? ofFramework : { code, params: { ...params, message } };
	const headers = { 'content-type': html ? 'text/html' : 'application/json', location };
	return parseResponse(
		{ statusCode: status, headers, body: html ? '<html>' : JSON.stringify(body) },
		createRedactor(NO_SECRETS),
	);
}

describe('which message is used when several match', () => {
	const LIST = { means: LIST_FLOWS.means, noun: 'flows', id: undefined, field: undefined };
	const BYTES = 'invalid byte sequence';
	const id = { status: 400, message: 'params/id must match pattern' };
	const version = { status: 404, code: 'ENTITY_NOT_FOUND', params: { entityType: 'FlowVersion' } };
	const forbidden = (code: string, message?: string) => ({ status: 403, code, message });
	const conflict = (code: string) => ({ status: 409, code, message: 'is used' });
	const fetchFailed = { status: 500, message: 'fetch failed' };
	const notUpdated = { status: 400, code: 'TRIGGER_UPDATE_STATUS', message: 'body/status no' };
	const noRoute = { status: 404, message: 'Route not found' };
	const belowApi = { baseUrl: 'https://activepieces.example/api/flows' };

	test.each<[string, Answer, Partial<ErrorContext>, string]>([
		['a redirect before a web page', { status: 302, html: true, location: 'x' }, {}, 'redirect'],
		['a redirect to nowhere', { status: 304, html: true }, {}, 'redirectToNowhere'],
		['a login of the proxy before a web page', { status: 407, html: true }, {}, 'proxyLogin'],
		['a web page before the status', { status: 403, html: true }, {}, 'blockedByFirewall'],
		['a web page before what is asked', { status: 400, html: true }, {}, 'refusedByProxy'],
		['the size before a web page', { status: 413, html: true }, {}, 'requestTooLarge'],
		['an overload before a web page', { status: 503, html: true }, {}, 'unavailable'],
		['an ID before the field that has it', id, {}, 'invalidId'],
		['a field where there is no ID', id, LIST, 'refusedField'],
		['a code before the field', notUpdated, {}, 'triggerNotChanged'],
		['400 before its bytes', { status: 400, message: BYTES }, {}, 'badRequest'],
		['404 before its bytes', { status: 404, message: BYTES }, {}, 'notFound'],
		['bytes before 409', { status: 409, message: BYTES }, {}, 'unstorableCharacter'],
		['bytes before 503', { status: 503, message: BYTES }, {}, 'unstorableCharacter'],
		['a permission', forbidden('PERMISSION_DENIED'), DELETE_TEMPLATE, 'missingPermission'],
		['an ended session', forbidden('SESSION_EXPIRED'), DELETE_TEMPLATE, 'endedSession'],
		[
			'a credential',
			forbidden('AUTHORIZATION', 'invalid principal'),
			DELETE_TEMPLATE,
			'wrongCredential',
		],
		[
			'a template before the rest',
			forbidden('AUTHORIZATION'),
			DELETE_TEMPLATE,
			'forbiddenTemplate',
		],
		['a feature before a limit', { status: 402, code: 'FEATURE_DISABLED' }, {}, 'planFeature'],
		['a path of Base URL before a missing endpoint', noRoute, belowApi, 'wrongPath'],
		['a list without versions before none', version, LIST, 'cannotListVersions'],
		['a version elsewhere', version, {}, 'missingVersion'],
		['no published flow', version, RETRY_RUN, 'unpublishedFlow'],
		['an edit before a name', conflict('FLOW_IN_USE'), { newName: 'a' }, 'flowInUse'],
		['a name that is not being given', conflict('VALIDATION'), {}, 'refused'],
		[
			'no templates before 500',
			fetchFailed,
			{ mayHandOnCloud: LIST_TEMPLATES.mayHandOnCloud },
			'noCustomTemplates',
		],
		['500 for others', fetchFailed, {}, 'serverFailed'],
	])('%s', (_name, given, context, kind) => {
		expect(responseKind(answer(given), { ...CONTEXT, ...context })).toBe(kind);
	});
});

describe('how a template is filled', () => {
	test('text in brackets needs its parts', () => {
		const template = 'a[ {one}][ {two}|, no two] b[ {one} {two}]';
		expect(fillTemplate(template, { one: '1', two: '2' })).toBe('a 1 2 b 1 2');
		expect(fillTemplate(template, { one: '1', two: undefined })).toBe('a 1, no two b');
		expect(fillTemplate(template, { one: undefined, two: undefined })).toBe('a, no two b');
	});

	test('a part is inserted unchanged', () => {
		const odd = fc.constantFrom('{one}', '[{two}]', '$&', '$1', '[a|b]', '{constructor}');
		const other = fc.oneof(fc.string(), odd);
		fc.assert(
			fc.property(other, other, (one, two) => {
				expect(fillTemplate('{one}[ {two}|]', { one, two })).toBe(`${one} ${two}`);
			}),
		);
	});

	test('every text of the table is a template', () => {
		for (const { message, description } of Object.values(MESSAGES)) {
			for (const text of [message, description]) {
				const rest = text.replace(/\{\w+\}|\[[^[\]|]*\{[^[\]|]*(\|[^[\]|]+)?\]/g, '');
				expect(rest).not.toMatch(/[{}[\]|]/);
			}
		}
	});
});

describe('what is added to a message', () => {
	test.each([
		[1, 700, ''],
		[2, 400, ', after 2 tries in less than a second'],
		[3, 1_400, ', after 3 tries in 1 second'],
		[5, 12_000, ', after 5 tries in 12 seconds'],
	])('%i attempts in %i ms are reported as "%s"', (count, elapsedMs, words) => {
		const attempts = { count, elapsedMs, isAmbiguous: false };
		const { message } = errorForConnection({ kind: 'timeout' }, CONTEXT, attempts);
		expect(message).toBe(`activepieces.example did not respond in time${words}`);
	});

	test.each(['GET', 'POST'] as const)(
		'a success without its body makes the outcome of a %s unknown, if it changes something',
		(method) => {
			const attempts = { count: 1, elapsedMs: 0, isAmbiguous: false };
			const response = { ...answer({ status: 200 }), attempts };
			const { description } = errorForResponse(response, { ...CONTEXT, method });
			expect(description.includes('may have applied')).toBe(method === 'POST');
		},
	);

	test('a field of the server with the name of a JavaScript property is only a name', () => {
		const response = answer({ status: 400, message: 'querystring/constructor is not known' });
		const message = 'Activepieces did not accept the value of "constructor"';
		expect(errorForResponse(response, CONTEXT)).toMatchObject({ message });
	});
});
