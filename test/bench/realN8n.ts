/* eslint-disable @n8n/community-nodes/no-restricted-imports, no-console -- runs n8n beside it, never inside it; tells how far it is */
import { join } from 'node:path';

import { temporaryFolder } from '../e2e/support/folders';
import { credentialJson, execute, importInto, type Outcome } from '../e2e/support/headless';
import { type Home, homeIn, installPackage, packPackage } from '../e2e/support/homes';
import { installed, N8N_RELEASES } from '../e2e/support/install';
import { chain, type Step, trigger, workflow, type WorkflowJson } from '../e2e/support/workflow';
import type { Service } from '../service';
import { CREDENTIAL, manyCalls, manyItems, type RealScenario, wholeList } from './realScenarios';
import type { Comparison, Options } from './report';
import { prepare, withService } from './scenario';

const WORKFLOW = 'bench';

/**
 * A workflow with all rounds. In every second round the other candidate is first. n8n runs them in this
 * order.
 */
function workflowOf(scenario: RealScenario, rounds: number): WorkflowJson {
	const input = [trigger(), ...scenario.input];
	const branches = Array.from({ length: rounds }, (_, round) => {
		const both = [scenario.node(round), scenario.other(round)];
		return round % 2 === 0 ? both : both.reverse();
	}).flat();
	return workflow(
		WORKFLOW,
		[...input, ...branches.flat()],
		[...chain(...input), ...branches.flatMap((steps) => chain(input[input.length - 1], ...steps))],
	);
}

/** The time of a candidate's nodes by n8n's own clock. */
function timeOf(outcome: Outcome, steps: Step[], { records, per }: RealScenario): number {
	const given = outcome.records(steps[steps.length - 1].name).length;
	if (given !== records) throw new Error(`${steps[0].name} gave ${given} records of ${records}`);
	const ms = steps.reduce((sum, { name }) => sum + outcome.executionTime(name), 0);
	return per === 'item' ? ms / records : ms;
}

async function measureScenario(
	home: Home,
	service: Service,
	scenario: RealScenario,
	rounds: number,
): Promise<Comparison[]> {
	const { release } = home.installation;
	console.log(`  n8n ${release}: ${scenario.title} …`);
	await importInto(home, [], [workflowOf(scenario, rounds)]);
	const comparisons: Comparison[] = [];
	for (const delay of scenario.delays) {
		prepare(service, delay);
		const outcome = await execute(home, WORKFLOW);
		const times = (steps: (round: number) => Step[]) =>
			Array.from({ length: rounds }, (_, round) => timeOf(outcome, steps(round), scenario));
		comparisons.push({
			scenario: `n8n ${release}: ${scenario.title}, ${delay} ms`,
			unit: scenario.per === 'item' ? 'ms per item' : 'ms',
			node: times(scenario.node),
			other: times(scenario.other),
			bound: delay === 0 ? scenario.bound : undefined,
		});
	}
	return comparisons;
}

/** This node beside HTTP Request with the same credential, in real n8n. */
export async function measureRealN8n({ quick, rounds }: Options): Promise<Comparison[]> {
	const folder = temporaryFolder('bench');
	const tarball = await packPackage(folder);
	return await withService({ flows: 2000, foldersPerProject: 100 }, async (service) => {
		const comparisons: Comparison[] = [];
		for (const release of N8N_RELEASES) {
			const home = homeIn(join(folder, release), await installed(release));
			await installPackage(home.folder, tarball);
			await importInto(home, [credentialJson(CREDENTIAL, service)]);
			const scenarios = [
				manyItems(release, service, quick),
				wholeList(release, service),
				manyCalls(release, service, { quick, hasCredential: true }),
				manyCalls(release, service, { quick, hasCredential: false }),
			];
			for (const scenario of scenarios) {
				comparisons.push(...(await measureScenario(home, service, scenario, rounds)));
			}
		}
		return comparisons;
	});
}
