import type { Context } from '../context';

const QUEUE = 'workerJobs';

/** GET /v1/queue-metrics and its successor of 0.80, GET /v1/worker-machines/queue-metrics. */
export function queueRoutes({ auth, options, own, route, traits }: Context): void {
	route('GET', traits.queueMetricsPath, (request) => {
		const principal = auth.platformWithProject(request);
		if (traits.oldAuthorization) auth.requireOwner(principal);
		else auth.platformAdmin(request);
		if (traits.queueMetricsPath === '/v1/queue-metrics') return { stats: own.queue };
		const { waiting, prioritized, active } = own.queue;
		return { queues: [{ name: QUEUE, waiting: waiting + prioritized, active }] };
	});

	if (options.prometheus !== true) return;
	// Read in the source of 0.86.3, not recorded; the lines are those that BullMQ makes.
	route('GET', `${traits.queueMetricsPath}/prometheus/:queueName?`, (request, reply) => {
		auth.platformAdmin(request);
		const { queueName = QUEUE } = request.params as { queueName?: string };
		if (queueName !== QUEUE) return reply.status(404).send({ message: 'Queue not found' });
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
