import type { Attempts } from '../attempts';
import { plainText } from '../plainText';
import { ActivepiecesError } from './activepiecesError';
import { ADVICE } from './advice';
import type { ConnectionError, ConnectionErrorKind } from './connectionError';
import { hasFilters } from './requestInput';
import type { ErrorContext, UserMessage } from './userMessage';
import { withAttempts } from './withAttempts';

const checkProxy = ({ place }: ErrorContext): string => `Check ${ADVICE[place].proxyField}`;

/** With a proxy it is the proxy that n8n connects to. */
const nothingAnswers = (
	host: string,
	_text: string | undefined,
	context: ErrorContext,
): UserMessage =>
	context.proxyHost === undefined
		? {
				message: `Nothing answers at ${host}`,
				description:
					'Check host and port of Base URL in the credential, and that Activepieces is running and can be reached from the n8n server. Inside Docker, localhost is the container itself.',
			}
		: {
				message: `The proxy ${context.proxyHost} does not answer`,
				description: `${checkProxy(context)}, and that the proxy is running and can be reached from the n8n server.`,
			};

/** From what happened to the connection to what the person reads. */
const MESSAGES: Record<
	ConnectionErrorKind,
	(host: string, text: string | undefined, context: ErrorContext) => UserMessage
> = {
	unknownHost: (host, _text, context) =>
		context.proxyHost === undefined
			? {
					message: `The host ${host} was not found`,
					description: 'Check Base URL in the credential for typos, and the DNS of the n8n server.',
				}
			: {
					message: `The proxy ${context.proxyHost} was not found`,
					description: `${checkProxy(context)}. Look for typos, and check the DNS of the n8n server.`,
				},
	connectionRefused: nothingAnswers,
	connectTimeout: nothingAnswers,
	unreachable: nothingAnswers,
	timeout: (host, _text, { delayedBy, id, method, place }) => ({
		message: `${host} did not answer in time`,
		description:
			delayedBy ??
			`Try again later, ${method === 'GET' && id === undefined ? ADVICE[place].smaller : ''}or raise Timeout in the credential.`,
	}),
	untrustedCertificate: (host) => ({
		message: `The certificate of ${host} is not trusted`,
		description:
			'Give the server a certificate that n8n trusts, or turn on Ignore SSL Issues in the credential if you know the server.',
	}),
	tlsProtocol: (host) => ({
		message: `${host} does not speak HTTPS`,
		description:
			'If the server has no certificate, Base URL in the credential must begin with http://',
	}),
	connectionReset: (host, _text, { proxyHost }) => ({
		message: `${host} closed the connection before the answer was complete`,
		description: `The server or a proxy in front of it may be restarting. Try again. If it stays so, check Base URL (http or https)${proxyHost === undefined ? '' : ' and Proxy'} in the credential.`,
	}),
	undecodable: (host) => ({
		message: `The answer of ${host} could not be decompressed`,
		description:
			'Its content does not fit its Content-Encoding. Check the proxy in front of Activepieces, or the address in Base URL.',
	}),
	tooLarge: (host, reason, context) => ({
		message: `The answer of ${host} ${reason}`,
		// A page with fewer rows was asked for before.
		description: `The node reads no more of one answer. ${hasFilters(context) ? 'Use filters. ' : ''}No answer of Activepieces about one record is as large: check Base URL in the credential.`,
	}),
	other: (host, text, { proxyHost }) => ({
		message:
			proxyHost === undefined
				? `The request to ${host} could not be completed`
				: `The request to ${host} through the proxy ${proxyHost} could not be completed`,
		description: `${text === undefined ? '' : `${plainText(text)}. `}Check Base URL${proxyHost === undefined ? '' : ' and Proxy'} in the credential.`,
	}),
};

/** The error for a request that brought no response at all. */
export function errorForConnection(
	{ kind, text }: ConnectionError,
	context: ErrorContext,
	attempts?: Attempts,
): ActivepiecesError {
	const { baseUrl, method } = context;
	const message = MESSAGES[kind](new URL(baseUrl).host, text, context);
	return new ActivepiecesError(withAttempts(message, method, attempts), {
		connectionError: kind,
		isAmbiguous: attempts?.isAmbiguous,
	});
}
