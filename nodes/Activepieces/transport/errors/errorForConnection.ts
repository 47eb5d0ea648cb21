import type { Attempts } from '../attempts';
import { ActivepiecesError } from './activepiecesError';
import type { ConnectionError, ConnectionErrorKind } from './connectionError';
import type { ErrorContext, UserMessage } from './userMessage';
import { withAttempts } from './withAttempts';

type Context = Pick<ErrorContext, 'baseUrl' | 'method' | 'delayedBy' | 'id'>;

const nothingAnswers = (host: string): UserMessage => ({
	message: `Nothing answers at ${host}`,
	description:
		'Check host and port of Base URL in the credential, and that Activepieces is running and can be reached from the n8n server. Inside Docker, localhost is the container itself.',
});

/** From what happened to the connection to what the person reads. */
const MESSAGES: Record<
	ConnectionErrorKind,
	(host: string, text: string | undefined, context: Context) => UserMessage
> = {
	unknownHost: (host) => ({
		message: `The host ${host} was not found`,
		description:
			'Check Base URL in the credential for typing slips, and the name service of the n8n server.',
	}),
	connectionRefused: nothingAnswers,
	connectTimeout: nothingAnswers,
	unreachable: nothingAnswers,
	timeout: (host, _text, { delayedBy, id, method }) => ({
		message: `${host} did not answer in time`,
		description:
			delayedBy ??
			`Try again later${method === 'GET' && id === undefined ? ', use Limit or filters where the node has them' : ''}, or raise Timeout in the node's Settings tab under Request Options.`,
	}),
	untrustedCertificate: (host) => ({
		message: `The certificate of ${host} is not trusted`,
		description:
			"Give the server a certificate that n8n trusts, or turn on Ignore SSL Issues in the node's Settings tab under Request Options if you know the server.",
	}),
	tlsProtocol: (host) => ({
		message: `${host} does not speak HTTPS`,
		description:
			'If the server has no certificate, Base URL in the credential must begin with http://',
	}),
	connectionReset: (host) => ({
		message: `${host} closed the connection before the answer was complete`,
		description:
			'The server or a proxy in front of it may be restarting. Try again; if it stays so, check Base URL (http or https) in the credential.',
	}),
	other: (host, text) => ({
		message: `The request to ${host} could not be completed`,
		description: text ?? 'Check Base URL in the credential.',
	}),
};

/** The error for a request that brought no response at all. */
export function errorForConnection(
	{ kind, text }: ConnectionError,
	context: Context,
	attempts?: Attempts,
): ActivepiecesError {
	const { baseUrl, method } = context;
	const message = MESSAGES[kind](new URL(baseUrl).host, text, context);
	return new ActivepiecesError(withAttempts(message, method, attempts), {
		connectionError: kind,
		isAmbiguous: attempts?.isAmbiguous,
	});
}
