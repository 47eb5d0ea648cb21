import type { Context } from '../context';

/** GET /v1/queue-metrics and its successor of 0.80, GET /v1/worker-machines/queue-metrics. */
export function queueRoutes({ auth, own, route, traits }: Context): void {
	route('GET', traits.queueMetricsPath, (request) => {
		auth.platformWithProject(request);
		if (traits.queueMetricsPath === '/v1/queue-metrics') return { stats: own.queue };
		const { waiting, prioritized, active } = own.queue;
		return { queues: [{ name: 'workerJobs', waiting: waiting + prioritized, active }] };
	});
}
