import type { DataSizes } from '../../service';

/** What the service process is started with. */
export interface Setup {
	data: DataSizes;
	tls: boolean;
}

/** One of the two services in the process, and what is asked for there. */
export interface Place {
	baseUrl: string;
	apiKey: string;
	projectId: string;
	folderIds: string[];
	invitationIds: string[];
	templateIds: string[];
}

/** What the process says when it is ready. */
export interface Places {
	/** Small and without delay, to warm up with */
	warmUp: Place;
	measured: Place;
}

/** Brings both services back to their first state. */
export interface Reset {
	/** ms before each answer of the service that is measured */
	delay: number;
}

/** What the measured service has seen since the last reset; the answer to one. */
export interface Seen {
	requests: number;
	/** most connections open at once */
	connections: number;
}
