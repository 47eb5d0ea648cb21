import type { FastifyRequest } from 'fastify';

import type { Context } from '../context';
import { entityNotFound } from '../errors';
import { like } from '../list';
import { isInAllVersions, isInRange, type PieceRecord } from '../pieces';
import { shape, text } from '../schema';
import { MAX_FIELDS_PER_TABLE, MAX_RECORDS_PER_TABLE } from '../tableRows';

const QUEUE = 'workerJobs';
const PIECES = shape({ searchQuery: text });
const PIECE = shape({ version: text, projectId: text });

/** GET /v1/flags, /v1/pieces, /v1/pieces/{scope}/{name} and the queue's metrics. */
export function serverRoutes(context: Context): void {
	const { auth, edition, options, own, route, traits, webhooks } = context;

	// Public: version, edition, limits of tables and how long calls of flows wait (recorded).
	route('GET', '/v1/flags', {}, (request) => {
		auth.authenticate(request);
		return {
			CURRENT_VERSION: traits.version,
			EDITION: edition === 'community' ? 'ce' : 'ee',
			MAX_RECORDS_PER_TABLE,
			MAX_FIELDS_PER_TABLE,
			WEBHOOK_TIMEOUT_SECONDS: webhooks.timeoutSeconds,
		};
	});

	/** Public */
	const piecesFor = (request: FastifyRequest) => {
		const principal = auth.authenticate(request);
		return principal.type === 'UNKNOWN' ? own.pieces : principal.platform.pieces;
	};

	// An array without pages. Read in the service's source, not recorded.
	route('GET', '/v1/pieces', { query: PIECES }, (request) => {
		const { searchQuery } = request.query;
		const keep = like<PieceRecord>(
			searchQuery,
			(piece) => piece.displayName,
			(piece) => piece.name,
		);
		return piecesFor(request).filter(keep);
	});

	// The newest version that is installed. Seen at 0.79.2 and 0.85.2, of which much is left out.
	// One of the given version, or of a range: pieces/metadata/piece-metadata-service.ts (read in the service's source).
	route('GET', '/v1/pieces/:scope/:name', { query: PIECE }, (request) => {
		const { scope, name } = request.params;
		const { version } = request.query;
		const pieceName = `${scope}/${name}`;
		const piece = piecesFor(request).find(
			(each) => each.name === pieceName && isInRange(each.version, version),
		);
		if (piece) return { name: pieceName, version: piece.version };
		if (version !== undefined && isInAllVersions(pieceName)) return { name: pieceName, version };
		const missing = `piece_metadata_not_found name=${pieceName} version=${version}`;
		throw entityNotFound({ message: missing });
	});

	// At another path since 0.80
	route('GET', traits.queueMetricsPath, {}, (request) => {
		auth.platformWithProject(request);
		auth.platformAdmin(request);
		if (traits.queueMetricsPath === '/v1/queue-metrics') return { stats: own.queue };
		const { waiting, prioritized, active } = own.queue;
		return { queues: [{ name: QUEUE, waiting: waiting + prioritized, active }] };
	});

	if (options.prometheus !== true) return;
	// Read in the source of 0.86.3, not recorded; the lines are those that BullMQ makes.
	route('GET', `${traits.queueMetricsPath}/prometheus`, {}, (request, reply) => {
		auth.platformAdmin(request);
		const counts = Object.entries(own.queue).map(
			([state, count]) => `bullmq_job_count{queue="${QUEUE}", state="${state}"} ${count}`,
		);
		const help = [
			'# HELP bullmq_job_count Number of jobs in the queue by state',
			'# TYPE bullmq_job_count gauge',
		];
		return reply.type('text/plain').send([...help, ...counts, ''].join('\n'));
	});
}
