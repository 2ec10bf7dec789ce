import { addToGroup } from '../model/group-by.ts';
import type { Address } from '../model/address.ts';
import type { Ending } from '../model/outcome.ts';
import type { Step } from '../model/plan/plan.ts';

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
  const waiting = new Map(steps.map((step) => [step.id, step.dependsOn.length]));
  const followers = new Map<string, Step[]>();
  for (const step of steps) {
    for (const { step: earlier } of step.dependsOn) addToGroup(followers, earlier, step);
  }
  const place = new Map(steps.map((step, index) => [step.id, index]));
  // Reversed: taking the next step, and inserting one that starts soon, moves only a few items.
  const ready = steps.filter(({ dependsOn }) => dependsOn.length === 0).reverse();
  let running = 0;
  let wake: () => void = () => undefined;
  const broken: unknown[] = [];

  const finishStep = (step: Step, result: StepResult): void => {
    results.set(step.id, result);
    // A failure also skips the steps that depend on it indirectly.
    const ended: Step[] = [step];
    for (const one of ended) {
      const { ending, failedDependency = one.address } = results.get(one.id) ?? result;
      for (const follower of followers.get(one.id) ?? []) {
        if (results.has(follower.id)) continue;
        if (ending === 'done') {
          const left = (waiting.get(follower.id) ?? 0) - 1;
          waiting.set(follower.id, left);
          if (left === 0) insert(ready, follower, place);
        } else {
          results.set(follower.id, { ending: 'skipped', failedDependency });
          ended.push(follower);
        }
      }
    }
  };

  const prepareNext = (): void => {
    const { prepare } = options;
    if (prepare === undefined || !options.mayStart()) return;
    for (let next = ready.length - 1; next >= Math.max(0, ready.length - prepare.count); next--) {
      const step = ready[next];
      if (step !== undefined) prepare.step(step);
    }
  };

  for (;;) {
    prepareNext();
    while (ready.length > 0 && running < options.parallelism && options.mayStart()) {
      const step = ready.pop();
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

/** Keeps the ready steps in listed order, so that the order of starts depends on the plan alone. */
function insert(ready: Step[], step: Step, place: ReadonlyMap<string, number>): void {
  const mine = place.get(step.id) ?? 0;
  let [low, high] = [0, ready.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((place.get(ready[middle]?.id ?? '') ?? 0) > mine) low = middle + 1;
    else high = middle;
  }
  ready.splice(low, 0, step);
}
