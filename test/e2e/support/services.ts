import {
	type Release,
	RELEASES,
	type Service,
	type ServiceOptions,
	startService,
} from '../../service';

/** The default sizes of a stand-in in these tests. */
const DATA = {
	projects: 3,
	flows: 240,
	flowRuns: 80,
	connections: 25,
	templates: 12,
	invitations: 24,
};

/** Starts a stand-in of every release, for the tests of a block. */
export function useServices(options: ServiceOptions = {}): Record<Release, Service> {
	const services = {} as Record<Release, Service>;
	beforeAll(async () => {
		for (const release of RELEASES) {
			services[release] = await startService({ data: DATA, ...options, release });
		}
	});
	afterAll(async () => {
		await Promise.all(Object.values(services).map(async (service) => await service.close()));
	});
	return services;
}
