import { packageRoot } from './environment';

const TRANSPORT = `${packageRoot}/dist/nodes/Activepieces/transport`;

/** The very objects that the engine runs with, not those of the sources: tests change them. */
export const { patience } = jest.requireActual<
	typeof import('../../../nodes/Activepieces/transport/patience')
>(`${TRANSPORT}/patience.js`);
export const { bounds } = jest.requireActual<
	typeof import('../../../nodes/Activepieces/transport/bounds')
>(`${TRANSPORT}/bounds.js`);
