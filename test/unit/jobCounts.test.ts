import { parseJobCounts } from '../../nodes/Activepieces/resources/queue';

test.each([
	['a label before and after it', 'bullmq_job_count{queue="a",state="failed",host="x"} 3'],
	['spaces between the labels', 'bullmq_job_count{ queue="a" , state="failed" , host="x" } 3'],
	['a comma after the last label', 'bullmq_job_count{queue="a",state="failed",}\t3'],
	['a time after the value', 'bullmq_job_count{state="failed"} 3 1395066363000'],
	[
		'a line for each of two queues',
		'bullmq_job_count{queue="a",state="failed"} 1\nbullmq_job_count{queue="b",state="failed"} 2',
	],
	['Windows line ends', '# HELP x\r\nbullmq_job_count{state="failed"} 3\r\n'],
	['a brace in a label', 'bullmq_job_count{queue="a}b",state="failed"} 3'],
	['an escaped quote in a label', 'bullmq_job_count{queue="a\\",state=\\"x",state="failed"} 3'],
])('reads a line with %s', (_name, text) => {
	expect(parseJobCounts(text)).toEqual({ failed: 3 });
});

test.each([
	['another metric', 'bullmq_job_seconds{state="failed"} 3'],
	['a label whose name ends in state', 'bullmq_job_count{substate="failed"} 3'],
	['no value', 'bullmq_job_count{state="failed"}'],
	['no end', 'bullmq_job_count{state="failed"'],
	['no state', 'bullmq_job_count{queue="a"} 3'],
	['a state that is none', 'bullmq_job_count{state="a b"} 3'],
	['text in front of it', 'x bullmq_job_count{state="failed"} 3'],
	['an object as the text', { queues: [] }],
])('ignores a line with %s', (_name, text) => {
	expect(parseJobCounts(text)).toBeUndefined();
});

test.each([
	['commas', `bullmq_job_count{${','.repeat(266_000)}`],
	['spaces', `bullmq_job_count{${', '.repeat(133_000)}`],
	['states', `bullmq_job_count{${'state="a",'.repeat(26_600)}`],
	['states that do not end', `bullmq_job_count{${',state="a"'.repeat(26_600)}`],
	['openings', 'bullmq_job_count{'.repeat(15_600)],
	['backslashes', `bullmq_job_count{state="${'\\'.repeat(266_000)}`],
	['spaces before the value', `bullmq_job_count{state="a"}${' '.repeat(266_000)}`],
])('a crafted line of 266 kB does not hang: %s', (_name, text) => {
	const start = Date.now();
	parseJobCounts(text);
	expect(Date.now() - start).toBeLessThan(2_000);
});
