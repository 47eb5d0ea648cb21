import type { NodeApiError } from 'n8n-workflow';

import { holds, same } from './check';
import { heading, line, paragraph, result } from './print';
import type { Stage } from './stage';

const QUEUE = { resource: 'queue', operation: 'getMetrics' };

/** Shows what a person reads in the editor when the credential is not right. */
export async function wrongCredentials({ service, stops }: Stage): Promise<void> {
	heading('What a person reads when the credential is not right', 'Queue → Get Metrics');
	const { apiKey, baseUrl, origin } = service;

	const wrongKey = `${apiKey.slice(0, -4)}xxxx`;
	const refused = await stops(service, { apiKey: wrongKey }, QUEUE, (error) => {
		same('HTTP status with a wrong key', error.httpCode, '401');
		holds(`A wrong key is reported as: ${error.message}`, error.message.includes('API key'));
		holds('The key appears in what is reported', !textOf(error).includes(wrongKey));
	});
	result('With a wrong API key', refused);
	tell(refused.error);

	const astray = await stops(service, { baseUrl: origin }, QUEUE, (error) => {
		holds(`A wrong Base URL is reported as: ${error.message}`, error.message.includes('Base URL'));
		holds('The right Base URL is not proposed', textOf(error).includes(baseUrl));
	});
	result(`With ${origin} as Base URL, without /api`, astray);
	tell(astray.error);
}

const textOf = ({ message, description }: NodeApiError) => `${message}\n${description ?? ''}`;

function tell({ message, description }: NodeApiError): void {
	paragraph(message, '    ');
	if (description) paragraph(description, '      ');
	line();
}
