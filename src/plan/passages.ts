import { CLOSED, carryOut, catcherOf, guardsFor, type Guards, type Thing } from './traffic.ts';
import type { Draft, LifeKey } from './draft.ts';
import type { District, Watched } from './probes.ts';

/** What becomes of a sort of request after a step; before the first one there is none. */
export interface Moment {
  readonly step?: Draft;
  readonly guards: Guards;
  /** What catches it then. */
  readonly catcher: LifeKey | undefined;
  readonly catching: Thing | undefined;
  /** What the catcher lives in. */
  readonly home: Thing | undefined;
}

/** What becomes of one sort of request while the steps of its district are taken: now, and after each that touches it. */
export interface Passage {
  readonly watched: Watched;
  readonly first: Moment;
  readonly last: Moment;
  readonly moments: readonly Moment[];
}

/** Follows every probe of a district through steps, in the order given. */
export function passagesOf({ start, watched }: District, steps: readonly Draft[]): Passage[] {
  const world = new Map(start);
  const touched = new Map<Draft, Watched[]>();
  for (const one of watched) for (const draft of one.drafts) touched.set(draft, [...(touched.get(draft) ?? []), one]);
  const look = (one: Watched, step?: Draft): Moment => {
    const catcher = catcherOf(one.probe, world, one.lives);
    const catching = catcher === undefined ? undefined : world.get(catcher);
    return {
      ...(step === undefined ? {} : { step }),
      guards: guardsFor(one.probe, world, one.lives),
      catcher,
      catching,
      home: catching?.parent === undefined ? undefined : world.get(catching.parent),
    };
  };
  const moments = new Map(watched.map((one) => [one, [look(one)]]));
  for (const step of steps) {
    carryOut(world, step.effect, step.kind);
    for (const one of touched.get(step) ?? []) moments.get(one)?.push(look(one, step));
  }
  return watched.flatMap((one) => {
    const own = moments.get(one) ?? [];
    const [first, last] = [own[0], own.at(-1)];
    return first === undefined || last === undefined ? [] : [{ watched: one, first, last, moments: own }];
  });
}

/** Whether a sort of request reaches a backend then. */
export function reaches({ guards }: Moment): boolean {
  return guards !== CLOSED;
}

/** The last step with which something held no longer; undefined where it holds to the end, or never did. */
export function whenLost({ moments }: Passage, holds: (moment: Moment) => boolean): Draft | undefined {
  const at = moments.findLastIndex((moment, index) => {
    const before = moments[index - 1];
    return before !== undefined && holds(before) && !holds(moment);
  });
  return moments[at]?.step;
}
