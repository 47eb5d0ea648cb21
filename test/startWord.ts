/** The word in a list of flows for what starts a flow of the stand-in. */
export function startWord({ type, settings }: Record<string, unknown>): string {
	if (type === 'EMPTY') return 'no trigger';
	const { pieceName } = settings as { pieceName: string };
	const words: Record<string, string> = {
		webhook: 'webhook',
		schedule: 'schedule',
		'manual-trigger': 'manual',
		subflows: 'subflow',
	};
	return words[pieceName.replace('@activepieces/piece-', '')] ?? 'app event';
}
