/* eslint-disable @n8n/community-nodes/no-restricted-imports -- runs in Node beside the tests, never inside n8n */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

import { makeApp, queryParser } from './app';
import { Authorization } from './auth';
import { Clock } from './clock';
import { routeAdder, type Context } from './context';
import { makeData, makeOtherPlatform } from './data';
import { addFaultHooks, answerFault, Faults, isAnswer, readBody } from './faults';
import { FlowChanges } from './flowChanges';
import { makeApiKey } from './ids';
import { LiveChanges } from './liveChanges';
import { proxied } from './nginx';
import { FEATURES } from './records';
import { TRAITS } from './releases';
import * as routes from './routes';
import { Sessions } from './sessions';
import { Traffic } from './traffic';
import type { Fault, Plan, ServiceOptions } from './types';
import { Waits } from './waits';
import { Webhooks } from './webhooks';

export { ROUTE_MISSING } from './errors';
export { FIRST_AND_LAST, RECORDED_RELEASES, RELEASES } from './releases';
export type { ServiceData } from './records';
export type * from './types';

/** Larger than nginx's limit, so that nginx refuses it. */
const HEADERS_BEHIND_NGINX = 64 * 1024;

/** A self-signed certificate for 127.0.0.1 and its key, both as PEM. */
async function makeCertificate(): Promise<{ key: string; cert: string }> {
	const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
		keyType: 'ec',
		extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
	});
	return { key, cert };
}

/** Starts a stand-in of the service on 127.0.0.1 with its own data. */
export async function startService(options: ServiceOptions = {}) {
	const release = options.release ?? '0.85';
	const traits = { ...TRAITS[release], ...options.traits };
	const edition = options.edition ?? 'enterprise';
	const own = makeData(traits, options.data ?? {}, edition);
	const other = makeOtherPlatform(traits);
	const clock = options.clock ?? Date.now;
	const sessions = new Sessions(traits, clock);
	const [admin, member] = own.users.map((user) => sessions.add(user, own));
	const tokens = sessions.tokensOf(admin, member);
	const apiKey = options.apiKey ?? makeApiKey('own');
	const otherPlatformKey = makeApiKey('other');
	const keys = edition === 'enterprise' ? { apiKey, otherPlatformKey } : {};
	// Enterprise has every feature, Community none.
	const features = FEATURES.map((feature) => [feature, edition === 'enterprise']);
	const plan = Object.fromEntries(features) as Plan;
	const time = new Clock();
	const faults = new Faults();
	const waits = new Waits();
	const traffic = new Traffic(queryParser(traits));
	const certificate = options.tls ? await makeCertificate() : undefined;

	/** Handles a request before the framework does; true when it has a response (or was cut) already. */
	async function intercept(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
		const record = traffic.enter(request, response);
		const applied = faults.apply(request, record);
		const { before, untilInFlight = 0, delay = 0, reset, maxBody = Infinity, ...effect } = applied;
		await before?.();
		while (traffic.inFlight.peak < untilInFlight && (await waits.after(1)));
		if (delay > 0 && !(await waits.after(delay))) return true;
		// Nobody waits for the response any more. A fault with `done` is for a service that continues anyway.
		if (request.socket.destroyed) return true;
		if (reset === 'beforeHeaders') {
			request.socket.destroy();
			return true;
		}
		if (Number(request.headers['content-length'] ?? 0) > maxBody) effect.status = 413;
		if (isAnswer(effect)) {
			record.body = await readBody(request);
			answerFault(response, effect);
			return true;
		}
		// A service has one clock; waits of faults use the clock of the machine.
		response.setHeader('date', new Date(time.now).toUTCString());
		return traits.nginx && proxied(request, response);
	}

	const app = await makeApp(traits, (handle) => {
		const headers = traits.nginx ? { maxHeaderSize: HEADERS_BEHIND_NGINX } : {};
		const listener = (request: IncomingMessage, response: ServerResponse) => {
			traffic.handle(response, () => {
				intercept(request, response).then(
					(answered) => {
						if (!answered) handle(request, response);
					},
					() => request.socket.destroy(),
				);
			});
		};
		const settings = { keepAliveTimeout: 72_000, ...headers };
		const server = certificate
			? createTlsServer({ ...settings, ...certificate }, listener)
			: createServer(settings, listener);
		traffic.watch(server);
		return server;
	});
	addFaultHooks(app, faults, waits);
	waits.hold = traffic.hold;

	const flowChanges = new FlowChanges(traits, time, traffic.hold);
	const webhooks = new Webhooks();
	const context: Context = {
		traits,
		own,
		platforms: [own, other],
		auth: new Authorization(traits, { ...keys, sessions, own, other }),
		sessions,
		edition,
		plan: { ...plan, ...options.plan },
		options,
		time,
		now: () => time.tick(),
		flowChanges,
		waits,
		webhooks,
		clock,
		route: routeAdder(app, options.without),
	};
	for (const addRoutes of Object.values(routes)) addRoutes(context);

	await app.listen({ port: options.port ?? 0, host: '127.0.0.1' });
	const scheme = options.tls ? 'https' : 'http';
	const origin = `${scheme}://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
	return {
		release,
		edition,
		origin,
		baseUrl: `${origin}/api`,
		apiKey,
		otherPlatformKey,
		userToken: tokens.admin,
		tokens,
		/** The accounts that can sign in, with their passwords; a test may change or add them */
		accounts: sessions.accounts,
		/** Ends all sessions, as if they had expired: 401 from now on. */
		expireTokens: () => sessions.expireAll(),
		/** Ends all sessions, as a new password does: 403 SESSION_EXPIRED from now on. */
		revokeTokens: () => sessions.revokeAll(),
		data: own,
		plan: context.plan,
		/** Dates the changes: they are a second apart unless its `step` says otherwise */
		time,
		/** Carries out changes of flows, and runs those that are called; with 'stopped' they wait */
		worker: flowChanges.worker,
		webhooks,
		/** Changes by other people: new runs, flows, users and so on */
		live: new LiveChanges(traits, own, time, flowChanges),
		/** Up to 0.79: carries out every change of a flow that is in progress, as far as the worker allows. */
		settleFlowChanges: () => flowChanges.settle(),
		requests: traffic.requests,
		connections: traffic.connections,
		inFlight: traffic.inFlight,
		fault: (fault: Fault) => faults.add(fault),
		/** Calls back whenever a fault makes a request hang, for tests that do not wait for a time-out. */
		onHang: (listener: () => void) => {
			waits.onHang = listener;
		},
		/** Requests in flight to which no response comes, unless the worker runs again */
		get held() {
			return traffic.held;
		},
		clearFaults: () => faults.clear(),
		clearRequests: () => traffic.clearRequests(),
		/** Ends at once, even with open keep-alive sockets and pending slow responses. */
		close: async () => {
			waits.endAll();
			traffic.cut();
			await app.close();
		},
	};
}

export type Service = Readonly<Awaited<ReturnType<typeof startService>>>;
