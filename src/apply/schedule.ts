import type { Address } from '../model/address.ts';
import type { Ending } from '../model/outcome.ts';
import type { Step } from '../model/plan/plan.ts';
import { readyQueue } from '../model/ready-queue.ts';

/** How one step ended. */
export interface StepResult {
  readonly ending: Ending;
  readonly error?: unknown;
  /** It failed after its request had been carried out. */
  readonly isWritten?: boolean;
  /** For a skipped step: the address of the failed step on which it depends. */
  readonly failedDependency?: Address;
}

/** How steps are to be run. */
export interface ScheduleOptions {
  readonly parallelism: number;
  /** Called before each start; once it returns false, nothing new is started. */
  readonly mayStart: () => boolean;
  /** Called with the next `count` steps before they start; for a step, it may be called several times. */
  readonly prepare?: { readonly count: number; readonly step: (step: Step) => void };
  /** Performs one step; must not throw. */
  readonly perform: (step: Step) => Promise<StepResult>;
}

/** Runs each step as soon as its dependencies are done, at most `parallelism` at a time, in listed order. A failure skips only the steps that depend on it. */
export async function runSteps(steps: readonly Step[], options: ScheduleOptions): Promise<Map<string, StepResult>> {
  const results = new Map<string, StepResult>();
  const byId = new Map(steps.map((step) => [step.id, step]));
  const queue = readyQueue([...byId.keys()], (id) => (byId.get(id)?.dependsOn ?? []).map(({ step }) => step));
  let running = 0;
  let wake: () => void = () => undefined;
  const broken: unknown[] = [];

  const finishStep = (step: Step, result: StepResult): void => {
    results.set(step.id, result);
    if (result.ending === 'done') {
      queue.done(step.id);
      return;
    }
    const { failedDependency = step.address } = result;
    // A failure also skips the steps that depend on it indirectly.
    const ended = new Set([step.id]);
    for (const id of ended)
      for (const follower of queue.followersOf(id)) {
        if (results.has(follower)) continue;
        results.set(follower, { ending: 'skipped', failedDependency });
        ended.add(follower);
      }
  };
  const prepareNext = (): void => {
    const { prepare } = options;
    if (prepare === undefined || !options.mayStart()) return;
    for (const id of queue.first(prepare.count)) {
      const step = byId.get(id);
      if (step !== undefined) prepare.step(step);
    }
  };

  for (;;) {
    prepareNext();
    while (running < options.parallelism && !queue.isEmpty() && options.mayStart()) {
      const step = byId.get(queue.take() ?? '');
      if (step === undefined) break;
      running += 1;
      options
        .perform(step)
        .then((result) => {
          running -= 1;
          finishStep(step, result);
          wake();
        })
        .catch((error: unknown) => {
          broken.push(error);
          wake();
        });
    }
    if (running === 0) return results;
    await new Promise<void>((resolve) => (wake = resolve));
    if (broken.length > 0) throw broken[0];
  }
}
