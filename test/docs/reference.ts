import { read } from '../engine/harness/environment';
import type { Case } from '../operations';

interface Notes {
	/** Why no operation covers the endpoint; of others what a reviewer asks about */
	note: string;
	/** What a person sends besides method and path */
	call?: string;
}

/** The endpoints of Activepieces' API reference in its order, as `GET /v1/flows`. */
export const reference = read('test/contract/reference.txt')
	.split('\n')
	.filter((line) => /^[A-Z]+ \//.test(line));

const OAUTH: Notes = {
	note: 'Not with OAuth: its code is valid once, and comes from a browser',
};

const SHOWN_TO_ALL: Notes = {
	note: 'Activepieces shows a template to everybody who knows its ID',
};

/** By endpoint. Unless a comment names the source, what the server does is recorded (`admin-*.har`). */
const NOTES: Record<string, Notes> = {
	'DELETE /v1/users/{id}': {
		note: "The first request fails, and has already deleted the flows of the user's personal project. *User → Update* locks a user out",
		call: 'No body',
	},
	'POST /v1/app-connections': OAUTH,
	'POST /v1/flows/{id}': {
		note: 'Not for single steps and metadata',
		call: 'Body: `type`, `request`',
	},
	'GET /v1/sample-data': {
		note: 'The data of a test in the flow editor, not of a run. *Flow Run → Get Steps* returns the data of a run',
		call: 'Query: `projectId`, `flowId`, `flowVersionId`, `stepName`, `type` (`INPUT` or `OUTPUT`)',
	},
	// The body is read in the service's source.
	'POST /v1/pieces': {
		note: 'Installs software for all projects of the server. Connections and flows only use pieces that are installed',
		call: 'Body: `packageType` (`REGISTRY`), `scope` (`PLATFORM`), `pieceName`, `pieceVersion`',
	},
	'POST /v1/project-releases': {
		note: 'Deletes flows that only the target project has. A key cannot list releases, so a lost response cannot be checked. *Flow → Import* copies single flows',
		call: 'Body: `type` (`PROJECT`), `name`, `description`, `projectId` (the target), `targetProjectId` (the source), `selectedFlowsIds` (null for all)',
	},
	'POST /v1/global-connections': OAUTH,
	'POST /v1/git-repos': {
		note: 'While a development repository cannot be reached, Activepieces deletes no flows and tables. A key cannot remove the repository',
		call: 'Body: `projectId`, `remoteUrl`, `branch`, `branchType`, `slug`, `sshPrivateKey`',
	},
	'POST /v1/templates': SHOWN_TO_ALL,
	'GET /v1/templates/{id}': SHOWN_TO_ALL,
	// Read in the service's source.
	'POST /v1/embed-subdomain/allowed-embed-origins': {
		note: 'Adds websites that may show Activepieces in a frame. A key cannot remove them',
		call: 'Body: `allowedEmbedOrigins`',
	},
};

/** An operation's own path, and those of other releases. */
const endpointsOf = ({ operation: { endpoint } }: Case) =>
	[endpoint.path, endpoint.otherPath?.path].map((path) => `${endpoint.method} ${path}`);

/**
 * A sentence with the numbers, and the rows of the table: each endpoint with what covers it.
 *
 * @throws when there are notes on an endpoint that the reference does not name
 */
export function coverage(operations: Case[]) {
	const unknown = Object.keys(NOTES).filter((endpoint) => !reference.includes(endpoint));
	if (unknown.length > 0) throw new Error(`The reference does not name ${unknown.join(', ')}`);
	const covering = (endpoint: string) =>
		operations.filter((each) => endpointsOf(each).includes(endpoint));
	const rows = reference.map((endpoint) => {
		const titles = covering(endpoint).map(({ title }) => title);
		const { note = '–', call = '–' } = NOTES[endpoint] ?? {};
		return [`\`${endpoint}\``, titles.join(', ') || '–', note, call];
	});
	const covered = reference.filter((endpoint) => covering(endpoint).length > 0);
	const others = operations.filter(
		(each) => !endpointsOf(each).some((endpoint) => reference.includes(endpoint)),
	);
	const sentence = `The API reference names ${reference.length} endpoints. The node covers ${covered.length} of them, and ${others.length} operations use endpoints that it does not name.`;
	return { sentence, rows };
}
