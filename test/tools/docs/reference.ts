import { read } from '../../engine/harness/environment';
import type { Case } from '../../operations';

interface Notes {
	/** Why no operation covers the endpoint */
	note: string;
	/** What a person sends besides method and path */
	call: string;
}

/** The endpoints of Activepieces' API reference in its order, as `GET /v1/flows`. */
export const reference = read('test/contract/reference.txt')
	.split('\n')
	.filter((line) => /^[A-Z]+ \//.test(line));

/** Of each endpoint that no operation covers. Unless a comment names the source, what the server does is recorded (`admin-*.har`). */
const NOTES: Record<string, Notes> = {
	'DELETE /v1/users/{id}': {
		note: "The first request fails, and has already deleted the flows of the user's personal project. *User → Update* locks a user out",
		call: 'No body',
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
	'POST /v1/git-repos': {
		note: 'While a development repository cannot be reached, Activepieces deletes no flows and tables. A key cannot remove the repository',
		call: 'Body: `projectId`, `remoteUrl`, `branch`, `branchType`, `slug`, `sshPrivateKey`',
	},
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
 * A sentence with the numbers, and the rows of the table: each endpoint that no operation covers.
 *
 * @throws when the notes are not those of just these endpoints
 */
export function coverage(operations: Case[]) {
	const ours = new Set(operations.flatMap(endpointsOf));
	const others = reference.filter((endpoint) => !ours.has(endpoint));
	const unlike = [...others, ...Object.keys(NOTES)].filter(
		(endpoint) => !(endpoint in NOTES) || !others.includes(endpoint),
	);
	if (unlike.length > 0) throw new Error(`Not covered, or with a note: ${unlike.join(', ')}`);
	const beyond = operations.filter(
		(each) => !endpointsOf(each).some((endpoint) => reference.includes(endpoint)),
	);
	const sentence = `The reference names ${reference.length} endpoints. The node covers all but ${others.length} of them, and ${beyond.length} operations use endpoints that it does not name.`;
	const rows = others.map((endpoint) => [
		`\`${endpoint}\``,
		NOTES[endpoint].note,
		NOTES[endpoint].call,
	]);
	return { sentence, rows };
}
