import type { Context } from '../context';
import { entityNotFound } from '../errors';

/** GET /v1/pieces/{scope}/{name}: the newest version that is installed. Seen at 0.79.2 and 0.85.2, of which much is left out. */
export function pieceRoutes({ auth, flowChanges, route }: Context): void {
	route('GET', '/v1/pieces/:scope/:name', (request) => {
		auth.authenticate(request);
		const { scope, name } = request.params as { scope: string; name: string };
		const pieceName = `${scope}/${name}`;
		const version = flowChanges.worker.pieces.get(pieceName);
		if (version === undefined) {
			throw entityNotFound({ message: `piece_metadata_not_found pieceName=${pieceName}` });
		}
		return { name: pieceName, version };
	});
}
