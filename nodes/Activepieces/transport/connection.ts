import type { IHttpRequestOptions } from 'n8n-workflow';

import { type ConnectionSettings, toHttpOptions } from './connectionSettings';
import { exchange, type ExchangeOptions, type HttpHelper, toAttemptResult } from './exchange';
import { limits } from './limits';
import type { ApiResponse } from './response';
import { findSignInError, SignInError } from './signIn';

interface ConnectionOptions extends Pick<
	ExchangeOptions,
	'getRedactor' | 'limitLargeBodies' | 'onCancel'
> {
	baseUrl: string;
	settings: ConnectionSettings;
	/** Time-out of a request with the credential, in milliseconds */
	timeoutMs: number;
	/** Whether n8n signs in before the next request, because the credential has no session */
	signsInFirst(): boolean;
}

/** Sends requests to one server; resolves with any status. */
interface Connection {
	/** With the credential */
	exchange(options: IHttpRequestOptions): Promise<ApiResponse>;
	/** Without the credential or any part of it */
	exchangePublic(
		options: IHttpRequestOptions,
		bounds: { timeoutMs: number; isWebhook?: boolean },
	): Promise<ApiResponse>;
}

/** @param sender sends a request with the credential, and signs in first if there is no session */
export function createConnection(
	sender: HttpHelper,
	{ baseUrl, settings, timeoutMs, signsInFirst, ...shared }: ConnectionOptions,
): Connection {
	const exchangeBy = async (
		helper: HttpHelper,
		options: IHttpRequestOptions,
		bounds: Parameters<Connection['exchangePublic']>[1],
	): Promise<ApiResponse> =>
		await exchange(
			helper,
			{ ...toHttpOptions(settings), ...options, baseURL: baseUrl },
			{ ...bounds, ...shared },
		);
	return {
		async exchange(options) {
			// Signing in has its own time-out.
			const isSigningIn = signsInFirst();
			const signInMs = isSigningIn ? (settings.timeoutMs ?? limits.signInTimeoutMs) : 0;
			const request = { timeout: timeoutMs, ...options };
			try {
				return await exchangeBy(sender, request, { timeoutMs: timeoutMs + signInMs });
			} catch (error) {
				// The request itself was not sent, so it cannot have changed anything.
				const isOfSignIn = isSigningIn && signsInFirst() && findSignInError(error) === undefined;
				throw isOfSignIn ? new SignInError(toAttemptResult(error)) : error;
			}
		},
		exchangePublic: async (options, bounds) =>
			await exchangeBy(async (all) => await sender(all, true), options, bounds),
	};
}
