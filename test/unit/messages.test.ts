import { LIST_FLOWS } from '../../nodes/Activepieces/resources/flow/flow';
import { RETRY_RUN } from '../../nodes/Activepieces/resources/flowRun/flowRun';
import { DELETE_TEMPLATE, LIST_TEMPLATES } from '../../nodes/Activepieces/resources/flowTemplate';
import { errorForConnection, toApiError } from '../../nodes/Activepieces/transport/errorFor';
import type { ApiRequest } from '../../nodes/Activepieces/transport/request';
import { createRedactor, NO_SECRETS } from '../../nodes/Activepieces/transport/redact';
import { type ApiResponse, parseResponse } from '../../nodes/Activepieces/transport/response';
import type { ResponseRule } from '../../nodes/Activepieces/transport/responseMessages';
import type { ErrorSource } from '../../nodes/Activepieces/transport/words';

const SOURCE: ErrorSource = {
	baseUrl: 'https://activepieces.example/api',
	credentialKind: 'apiKey',
	place: 'node',
};

const GET_FOLDER: ApiRequest = {
	endpoint: { method: 'GET', path: '/v1/folders/{id}' },
	id: 'abc',
	subject: { noun: 'folder', field: 'Folder' },
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

/** How the message of each rule begins. */
const MESSAGES = {
	redirect: /^The server redirects to x$/,
	redirectToNowhere: /^The server responded with HTTP 304 and no target URL$/,
	proxyLogin: /^The proxy requires a username/,
	blockedByFirewall: /^A proxy or firewall in front of Activepieces refused the request/,
	refusedByProxy: /^A proxy in front of Activepieces refused the request for folder "abc"$/,
	requestTooLarge: /^The request is larger than/,
	unavailable: /^Activepieces is unavailable/,
	invalidId: /must be an Activepieces ID, not "abc"$/,
	refusedField: /^Activepieces did not accept the value of "id"$/,
	triggerNotChanged: /^Activepieces could not start or stop the trigger/,
	badRequest: /^Activepieces did not accept the request$/,
	notFound: /^Folder "abc" was not found$/,
	unstorableCharacter: /^A value contains a character/,
	missingPermission: /is not allowed to do this with the folder$/,
	endedSession: /is no longer active$/,
	wrongCredential: /did not accept the API key for this request$/,
	forbiddenTemplate: /^The API key is not allowed to delete the/,
	planFeature: /^The Activepieces plan does not include this feature$/,
	wrongPath: /^Base URL points to the wrong path/,
	cannotListVersions: /^This Activepieces release cannot list published versions/,
	missingVersion: /^The version of folder "abc" was not found$/,
	unpublishedFlow: /^The flow of folder "abc" is not published$/,
	flowInUse: /^Another user is editing/,
	refused: /^Activepieces refused the request/,
	noCustomTemplates: /has no custom templates$/,
	serverFailed: /^Activepieces could not process the request/,
};

describe('which message is used when several match', () => {
	const LIST = {
		...LIST_FLOWS,
		endpoint: { ...GET_FOLDER.endpoint, rules: LIST_FLOWS.endpoint.rules },
		id: undefined,
	};
	const at = (rules?: ResponseRule[]) => ({ endpoint: { ...GET_FOLDER.endpoint, rules } });
	const BYTES = 'invalid byte sequence';
	const id = { status: 400, message: 'params/id must match pattern' };
	const version = { status: 404, code: 'ENTITY_NOT_FOUND', params: { entityType: 'FlowVersion' } };
	const forbidden = (code: string, message?: string) => ({ status: 403, code, message });
	const conflict = (code: string) => ({ status: 409, code, message: 'is used' });
	const fetchFailed = { status: 500, message: 'fetch failed' };
	const notUpdated = { status: 400, code: 'TRIGGER_UPDATE_STATUS', message: 'body/status no' };
	const noRoute = { status: 404, message: 'Route not found' };
	const belowApi = { baseUrl: 'https://activepieces.example/api/flows' };

	test.each<[string, Answer, Partial<ApiRequest & ErrorSource>, keyof typeof MESSAGES]>([
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
		[
			'a permission',
			forbidden('PERMISSION_DENIED'),
			at(DELETE_TEMPLATE.rules),
			'missingPermission',
		],
		['an ended session', forbidden('SESSION_EXPIRED'), at(DELETE_TEMPLATE.rules), 'endedSession'],
		[
			'a credential',
			forbidden('AUTHORIZATION', 'invalid principal'),
			at(DELETE_TEMPLATE.rules),
			'wrongCredential',
		],
		[
			'a template before the rest',
			forbidden('AUTHORIZATION'),
			at(DELETE_TEMPLATE.rules),
			'forbiddenTemplate',
		],
		['a feature before a limit', { status: 402, code: 'FEATURE_DISABLED' }, {}, 'planFeature'],
		['a path of Base URL before a missing endpoint', noRoute, belowApi, 'wrongPath'],
		['a list without versions before none', version, LIST, 'cannotListVersions'],
		['a version elsewhere', version, {}, 'missingVersion'],
		['no published flow', version, at(RETRY_RUN.rules), 'unpublishedFlow'],
		[
			'an edit before a name',
			conflict('FLOW_IN_USE'),
			{ subject: { ...GET_FOLDER.subject, newName: 'a' } },
			'flowInUse',
		],
		['a name that is not being given', conflict('VALIDATION'), {}, 'refused'],
		[
			'no templates before 500',
			fetchFailed,
			at(LIST_TEMPLATES.endpoint.rules),
			'noCustomTemplates',
		],
		['500 for others', fetchFailed, {}, 'serverFailed'],
	])('%s', (_name, given, { baseUrl = SOURCE.baseUrl, ...request }, kind) => {
		const source = { ...SOURCE, baseUrl };
		const { message } = toApiError(source, { ...GET_FOLDER, ...request }, answer(given));
		expect(message).toMatch(MESSAGES[kind]);
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
		const { message } = errorForConnection(SOURCE, GET_FOLDER, { kind: 'timeout' }, attempts);
		expect(message).toBe(`activepieces.example did not respond in time${words}`);
	});

	test('what a server or a person says is inserted unchanged', () => {
		for (const odd of ['{one}', '[{two}]', '$&', '$1', '[a|b]', '{constructor}']) {
			const given = { status: 409, message: odd };
			const error = toApiError(SOURCE, { ...GET_FOLDER, id: odd }, answer(given));
			expect(error.description).toContain(`Activepieces says: ${odd}. `);
			const none = answer({ status: 404, message: 'None' });
			const unknown = toApiError(SOURCE, { ...GET_FOLDER, id: odd }, none);
			expect(unknown.message).toBe(`Folder "${odd}" was not found`);
		}
	});

	test('a field of the server with the name of a JavaScript property is only a name', () => {
		const response = answer({ status: 400, message: 'querystring/constructor is not known' });
		const message = 'Activepieces did not accept the value of "constructor"';
		expect(toApiError(SOURCE, GET_FOLDER, response)).toMatchObject({ message });
	});
});
