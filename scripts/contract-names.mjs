/**
 * A name for every id that the recordings of the Community edition mention.
 * @param {string} markdown whose third paragraph names the projects and the folder
 * @param {import('./recorded-exchanges.mjs').Exchange[]} exchanges
 */
export function nameCommunityIds(markdown, exchanges) {
	const names = new Map();
	const give = (id, name) => {
		if (id && !names.has(id)) names.set(id, `{${name}}`);
	};
	const idAfter = (text) => new RegExp(`${text} \`(\\w{21})\``, 'm').exec(markdown)?.[1];
	give(idAfter('^Project'), 'project');
	give(idAfter('folder'), 'folder:Rechnungen & Mahnungen');
	give(idAfter('personal project'), 'secondProject');
	give(idAfter('team project'), 'teamProject');
	for (const { title, method, target, answer } of exchanges) {
		const id = /\/(\w{21})$/.exec(target)?.[1];
		if (title === "a folder of the second user's personal project") give(id, 'folder:Zoës Ordner');
		if (method === 'DELETE' && title === 'an existing invitation')
			give(id, 'invitation:PLATFORM:5');
		if (title === 'an existing invitation of the platform') give(id, 'invitation:PLATFORM:4');
		const kind = /^delete the (CUSTOM|SHARED) template$/.exec(title)?.[1];
		if (kind) give(id, kind === 'SHARED' ? 'template:SHARED' : 'template:Template 00');
		give(/"userId":"(\w{21})"/.exec(answer)?.[1], 'member');
		give(/"platformId":"(\w{21})"/.exec(answer)?.[1], 'platform');
	}
	return names;
}
