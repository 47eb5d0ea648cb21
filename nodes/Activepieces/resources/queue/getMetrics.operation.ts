import type { Answer } from '../../transport/answer';
import { readProjects } from '../../transport/lists';
import { exchangeMoved } from '../../transport/movedEndpoints';
import type { ApiRequest, Endpoint } from '../../transport/request';
import { recordOf, unexpected } from '../../transport/send';
import type { Session } from '../../transport/session';
import type { Operation } from '../resource';
import { metricsOf } from './metricsOf';

const endpoint: Endpoint = { method: 'GET', path: '/v1/queue-metrics' };

/** Releases up to 0.74 want a project with an API key and say so with this 409; any will do. */
const wantsProject = ({ status, text }: Answer): boolean =>
	status === 409 && /project id/i.test(text ?? '');

async function withFirstProject(
	session: Session,
	request: ApiRequest,
	answer: Answer,
): Promise<Answer> {
	const projects = await readProjects(session, 1);
	if (projects === undefined || projects.length === 0) return answer;
	return await exchangeMoved(session, { ...request, query: { projectId: projects[0].id } });
}

export const getMetrics: Operation = {
	name: 'Get Metrics',
	value: 'getMetrics',
	action: 'Get queue metrics',
	description: 'Get how many jobs are waiting, active and so on',
	hint: 'Activepieces 0.80 and later report only waiting and active jobs',
	endpoint,
	fields: [],
	async run({ session }) {
		const request: ApiRequest = { ...endpoint, subject: { noun: 'queue metrics' } };
		let answer = await exchangeMoved(session, request);
		if (wantsProject(answer)) answer = await withFirstProject(session, request, answer);
		const metrics = metricsOf(recordOf(session, request, answer));
		if (metrics === undefined) throw unexpected(session, request, answer);
		return [metrics];
	},
};
