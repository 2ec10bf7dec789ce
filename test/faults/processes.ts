import { fork } from 'node:child_process';
import type { Verdict } from './matrix.ts';

/** Some cases in a row. */
export interface Job {
  readonly from: number;
  readonly names: readonly string[];
}

/** Has so many processes of a program do jobs, each the next one that nobody has begun, and notes each result. */
export async function inProcesses(
  { program, processes }: { readonly program: string; readonly processes: number },
  jobs: readonly Job[],
  note: (job: Job, verdicts: readonly Verdict[]) => void,
): Promise<void> {
  const left = jobs.values();
  await Promise.all(
    Array.from({ length: processes }, async () => {
      // Nearly all that a case makes is garbage soon: a large nursery has little left to copy.
      const child = fork(program, ['worker'], { execArgv: [...process.execArgv, '--max-semi-space-size=64'] });
      const isGone = new Promise<never>((_, reject) => {
        child.once('exit', (code) => reject(new Error(`a process ended with exit code ${code}`)));
      });
      isGone.catch(() => undefined);
      for (const job of left) {
        const verdicts = new Promise<Verdict[]>((resolve) => {
          child.once('message', (message) => resolve(message as Verdict[]));
        });
        child.send(job);
        note(job, await Promise.race([verdicts, isGone]));
      }
      child.disconnect();
    }),
  );
}

/** Does the jobs that the process is sent, one at a time. */
export function doJobs(work: (job: Job) => Promise<readonly Verdict[]>): void {
  process.on('message', (job) => {
    void work(job as Job).then((verdicts) => process.send?.(verdicts));
  });
}
