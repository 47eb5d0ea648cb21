import { createClient } from '../../nodes/Activepieces/transport/client';
import { formatSession } from '../../nodes/Activepieces/transport/credential/sessionToken';
import { createRunState } from '../../nodes/Activepieces/transport/runState';

const account = {
	baseUrl: 'https://host.example/api',
	email: 'nathan@example.com',
	password: 'correct horse',
};

const tokenOf = (projectId: string) =>
	['header', Buffer.from(JSON.stringify({ projectId })).toString('base64url'), 'signature'].join(
		'.',
	);

test('a session token is decoded once, not for each of a thousand records, and anew when it changes', () => {
	const data = { ...account, sessionToken: formatSession(account, tokenOf('first')) };
	const { tokenProjectId } = createClient(async () => undefined, {
		credential: { name: 'activepiecesSignInApi', data },
		runState: createRunState(),
		place: 'node',
	});
	const decode = jest.spyOn(JSON, 'parse');
	expect(Array.from({ length: 1000 }, tokenProjectId)).toEqual(
		Array.from({ length: 1000 }, () => 'first'),
	);
	const perToken = decode.mock.calls.length;
	expect(perToken).toBeLessThanOrEqual(3);
	data.sessionToken = formatSession(account, tokenOf('second'));
	expect(Array.from({ length: 1000 }, tokenProjectId).at(-1)).toBe('second');
	expect(decode.mock.calls.length).toBe(2 * perToken);
	decode.mockRestore();
});
