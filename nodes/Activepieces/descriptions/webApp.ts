/** The addresses of records in the web app of Activepieces. */
import type { IDataObject } from 'n8n-workflow';

import { pathSegment, withoutSlashes } from '../transport/ids';

/** The records that have a page in the web app of Activepieces. */
export type LinkedRecord = 'flow' | 'flowRun' | 'project' | 'table';

/**
 * The path segments of the pages, the same in every release from 0.73 on (read in the service's source:
 * 0.73.0 `packages/react-ui/src/app/guards/index.tsx` and `lib/utils.ts`, 0.85.2
 * `packages/web/src/app/routes/project-routes.tsx` and `lib/route-utils.ts`, and the main branch after
 * 0.86).
 */
export const RECORD_PATHS: Record<LinkedRecord, string> = {
	flow: 'flows',
	flowRun: 'runs',
	project: 'projects',
	table: 'tables',
};

/** The URL of the web app, which serves the API at `/api`; undefined for a Base URL with another path. */
function webAppUrl(baseUrl: string | undefined): string | undefined {
	return baseUrl?.endsWith('/api') ? baseUrl.slice(0, -'/api'.length) : undefined;
}

function segment(id: unknown): string | undefined {
	const result = pathSegment(id);
	return 'invalid' in result ? undefined : result.segment;
}

export function recordUrl(
	baseUrl: string | undefined,
	kind: LinkedRecord,
	{ id, projectId }: IDataObject,
): string | null {
	const webApp = webAppUrl(baseUrl);
	const own = segment(id);
	if (webApp === undefined || own === undefined) return null;
	if (kind === 'project') return `${webApp}/${RECORD_PATHS.project}/${own}`;
	const project = segment(projectId);
	if (project === undefined) return null;
	return `${webApp}/${RECORD_PATHS.project}/${project}/${RECORD_PATHS[kind]}/${own}`;
}

/** The path within the web app, without trailing slashes. */
function pathOf({ pathname }: URL, baseUrl: string): string {
	const prefix = new URL(webAppUrl(baseUrl) ?? baseUrl).pathname.replace(/^\/$/, '');
	const path = withoutSlashes(pathname);
	return path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
}

/** The path of a flow's webhook, which the Activepieces editor shows */
const WEBHOOK = /^(?:\/api)?\/v1\/webhooks\/([^/]+)(?:\/(?:draft|test))?(?:\/sync)?$/;

/**
 * The ID in the path of a page. The web app also accepts the path of a flow or a run
 * without its project. The page of a project is one of its lists. A flow also has the URL of its webhook.
 */
function idInPath(kind: LinkedRecord, path: string): string | undefined {
	const webhook = WEBHOOK.exec(path);
	if (webhook !== null) return kind === 'flow' ? webhook[1] : undefined;
	const segments = path.split('/').slice(1);
	if (segments.includes('')) return undefined;
	const isWithinProject = kind !== 'project' && segments[0] === RECORD_PATHS.project;
	const [word, id, ...more] = isWithinProject ? segments.slice(2) : segments;
	return word === RECORD_PATHS[kind] && more.length <= (kind === 'project' ? 1 : 0)
		? id
		: undefined;
}

/**
 * The ID in the URL of a page, as a browser shows it; undefined for a page of another record or server. Only the
 * host identifies the server: people may open the web app with https while n8n calls the API with http.
 */
export function idInUrl(baseUrl: string, kind: LinkedRecord, text: string): string | undefined {
	const url = /^https?:/i.test(text) && URL.canParse(text) ? new URL(text) : undefined;
	if (url?.host !== new URL(baseUrl).host) return undefined;
	return idInPath(kind, pathOf(url, baseUrl)) || undefined;
}
