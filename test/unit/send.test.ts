import { ApiClient, authenticatedSender } from '../../nodes/Activepieces/transport/client';
import { Run } from '../../nodes/Activepieces/transport/run';
import { sendRequest } from '../../nodes/Activepieces/transport/send';

test('a request that is waiting for its turn is not sent after the run has ended', async () => {
	const run = new Run();
	let sent = 0;
	const helpers = {
		async httpRequestWithAuthentication() {
			sent++;
			run.end.stop();
			return { statusCode: 200, headers: {}, body: '{}' };
		},
	};
	const data = { baseUrl: 'https://host.example/api', apiKey: 'sk-0123456789' };
	const credential = { name: 'activepiecesApi', data } as const;
	const client = new ApiClient(authenticatedSender({ helpers } as never, credential), {
		credential,
		run,
		place: 'node',
	});
	const endpoint = { method: 'GET', path: '/v1/flows' } as const;
	const request = { endpoint, subject: { noun: 'flows' } };
	const results = await Promise.allSettled(
		Array.from({ length: 30 }, async () => await sendRequest(client, request)),
	);
	const begun = results.filter(({ status }) => status === 'fulfilled');
	expect(sent).toBe(1);
	expect(begun).toHaveLength(1);
});
