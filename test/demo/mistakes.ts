import { type Demo, doesNotMatch, equal, match, show } from './demo';

const METRICS = { resource: 'queue', operation: 'getMetrics' };

/** What a person reads in the editor when the credential is not right. */
export async function wrongCredentials({ service, fail }: Demo): Promise<void> {
	const wrongKey = `${service.apiKey.slice(0, -4)}xxxx`;
	const refused = await fail(METRICS, { apiKey: wrongKey });
	equal(refused.httpCode, '401');
	match(refused.message, /API key/);
	doesNotMatch(`${refused.message} ${refused.description}`, new RegExp(wrongKey));
	show('With a wrong API key', `${refused.message}\n  ${refused.description}`);

	const astray = await fail(METRICS, { baseUrl: service.origin });
	match(astray.message, /Base URL/);
	match(`${astray.description}`, new RegExp(service.baseUrl));
	show('With a Base URL without /api', `${astray.message}\n  ${astray.description}`);
}
