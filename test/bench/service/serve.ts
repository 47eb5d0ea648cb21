/* eslint-disable @n8n/community-nodes/no-restricted-globals -- a process of its own beside the bench, never inside n8n */
import { type DataSizes, type Service, startService } from '../../service';
import type { Place, Places, Reset, Seen, Setup } from './messages';

/** What one warm-up lists, gets or deletes. */
const WARM_UP: DataSizes = {
	projects: 1,
	flows: 1000,
	foldersPerProject: 50,
	invitations: 4000,
	templates: 4000,
};

interface Running {
	service: Service;
	place: Place;
	reset(delay: number): void;
}

async function run(data: DataSizes, tls: boolean): Promise<Running> {
	const service = await startService({ data, tls });
	const { invitations, templates, folders, projects } = service.data;
	return {
		service,
		place: {
			baseUrl: service.baseUrl,
			apiKey: service.apiKey,
			projectId: projects[0].id,
			folderIds: folders.map(({ id }) => id),
			invitationIds: invitations.map(({ id }) => id),
			templateIds: templates.map(({ id }) => id),
		},
		reset(delay) {
			// A delete replaces the list, so the first one is still whole.
			service.data.invitations = invitations;
			service.data.templates = templates;
			service.clearFaults();
			if (delay > 0) service.fault({ kind: { delay } });
			service.clearRequests();
		},
	};
}

async function main({ data, tls }: Setup) {
	const warmUp = await run(WARM_UP, tls);
	const measured = await run(data, tls);
	process.on('message', ({ delay }: Reset) => {
		const { requests, connections } = measured.service;
		process.send?.({ requests: requests.length, connections: connections.peak } satisfies Seen);
		warmUp.reset(0);
		measured.reset(delay);
	});
	// The bench has ended, one way or another.
	process.on('disconnect', () => process.exit(0));
	process.send?.({ warmUp: warmUp.place, measured: measured.place } satisfies Places);
}

void main(JSON.parse(process.argv[2]) as Setup);
