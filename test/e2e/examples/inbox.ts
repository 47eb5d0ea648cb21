import fastify from 'fastify';
import type { IDataObject } from 'n8n-workflow';

/** The key of a customer, which it returns as a password manager does. */
export const secretOf = (customerId: string) => `secret-of-${customerId}`;

/** Accepts whatever is posted to it, as a chat's incoming webhook does. */
export type Inbox = Awaited<ReturnType<typeof startInbox>>;

export async function startInbox() {
	const posted: Array<{ path: string; body: IDataObject }> = [];
	const app = fastify({ forceCloseConnections: true });
	app.post('*', async (request) => {
		posted.push({ path: request.url.slice(1), body: request.body as IDataObject });
		return { ok: true };
	});
	app.get<{ Params: { id: string } }>('/customers/:id', async ({ params }) => ({
		secret: secretOf(params.id),
	}));
	const url = await app.listen({ port: 0, host: '127.0.0.1' });
	/** What was posted to a path, in order, or everything */
	const received = (wanted?: string) =>
		posted.filter(({ path }) => wanted === undefined || path === wanted).map(({ body }) => body);
	return {
		url,
		received,
		/** The texts of the messages that were posted to a path */
		texts: (path: string) => received(path).map(({ text }) => text),
		close: async () => await app.close(),
	};
}
