/* eslint-disable no-console, @n8n/community-nodes/no-restricted-globals -- a command for people, run with tsx; never inside n8n */
import { deleteTemplate, renameFolder, revokeInvitation } from './changes';
import { createDemo } from './demo';
import { allFlows, brokenConnections, queueMetrics, wrongCredentials } from './reads';

async function main(): Promise<void> {
	const demo = await createDemo();
	try {
		const { data, release } = demo.service;
		console.log(`The built node in n8n's own engine, with a simulated Activepieces ${release} server that has
${data.flows.length} flows. Every result is compared with the data of that server.`);
		const reads = [queueMetrics, allFlows, brokenConnections];
		const changes = [renameFolder, deleteTemplate, revokeInvitation];
		for (const each of [...reads, ...changes, wrongCredentials]) await each(demo);
		console.log('\nAll results are correct.');
	} finally {
		await demo.close();
	}
}

main().catch((error: Error) => {
	console.error(error.stack);
	process.exitCode = 1;
});
