import { partOf, routingAfter } from '../routing/routing-model.ts';
import { accessOf, type Access } from './access.ts';
import type { ClassHistory } from './class-history.ts';

// Of more steps, the choices are too many.
const mostChosenFrom = 6;

/**
 * The access of a class wherever an apply may end early: after any of its steps, since a change that fails skips only what waits
 * for it. Of many steps: after each alone, and after the first n.
 */
export function partialAccesses({ group, trace: { tracked }, now, after }: ClassHistory): readonly Access[] {
  const { requestClass, instances, nodes } = tracked;
  const steps = nodes.filter(({ role }) => role !== 'drift');
  if (steps.length < 2) return [now, after];
  const drift = nodes.filter(({ role }) => role === 'drift');
  const routing = routingAfter(partOf(group.start, instances), drift);
  return choicesOf(steps).map((some) => accessOf(requestClass, routingAfter(routing, some), instances));
}

/** Some of all, in their order: every choice, or of many each alone and the first n. */
function choicesOf<T>(all: readonly T[]): readonly (readonly T[])[] {
  if (all.length > mostChosenFrom)
    return [[], ...all.flatMap((one, index) => [[one], all.slice(0, index + 1)])];
  return Array.from({ length: 2 ** all.length }, (_, choice) => all.filter((_, bit) => (choice & (1 << bit)) !== 0));
}
