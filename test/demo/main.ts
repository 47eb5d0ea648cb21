/* eslint-disable @n8n/community-nodes/no-restricted-globals -- a command for people, run with tsx; never inside n8n */
import { deleteTemplate, renameFolder, takeBackInvitation } from './changes';
import { Deviation } from './check';
import { allFlows, brokenConnections } from './lists';
import { wrongCredentials } from './mistakes';
import { bold, count, duration, failure, line, paragraph } from './print';
import { queueMetrics } from './queues';
import { openStage } from './stage';

const PARTS = [
	queueMetrics,
	allFlows,
	brokenConnections,
	renameFolder,
	deleteTemplate,
	takeBackInvitation,
	wrongCredentials,
];

async function main(): Promise<void> {
	const start = performance.now();
	const stage = await openStage();
	try {
		const { data, release } = stage.service;
		line(bold('The Activepieces node at work'));
		paragraph(
			`The built package runs in n8n's own engine, against a stand-in of Activepieces ${release} on this machine with ${count(data.flows.length)} flows. Every result is compared with what the stand-in holds.`,
		);
		for (const part of PARTS) await part(stage);
		const took = duration(performance.now() - start);
		line(
			bold(`${stage.workflows} workflows ran in ${took}; every result was checked and is right.`),
		);
	} finally {
		await stage.close();
	}
}

main().catch((error: unknown) => {
	process.exitCode = 1;
	if (error instanceof Deviation) failure(`Not as it should be. ${error.message}`);
	else failure(error instanceof Error ? (error.stack ?? error.message) : String(error));
});
