import { oncePer } from '../../kinds/once-per.ts';
import type { Movement } from '../order/plan-node.ts';
import { partOf, routingAfter } from '../routing/routing-model.ts';
import { accessOf, type Access } from './access.ts';
import type { ClassHistory } from './class-history.ts';

// With more choices, only some are considered.
const mostChoices = 64;

/**
 * The access of a class wherever an apply may end early: after any of its steps, since a change that fails skips only what waits
 * for it. Where these are too many: after each step alone, and after the first n.
 */
export const partialAccesses = oncePer(new WeakMap<ClassHistory, readonly Access[]>(), findPartial);

function findPartial({ group, trace: { tracked }, now, after }: ClassHistory): readonly Access[] {
  const { requestClass, instances, nodes } = tracked;
  const steps = nodes.filter(({ role }) => role !== 'drift');
  if (steps.length < 2) return [now, after];
  const drift = nodes.filter(({ role }) => role === 'drift');
  const routing = routingAfter(partOf(group.start, instances), drift);
  return choicesOf(steps).map((some) => accessOf(requestClass, routingAfter(routing, some), instances));
}

/** Every choice of some steps, in their order. The steps of an instance run one after the other. */
function choicesOf(steps: readonly Movement[]): readonly (readonly Movement[])[] {
  let choices: (readonly Movement[])[] = [[]];
  const before = new Map<Movement['effect']['instance'], Movement>();
  for (const step of steps) {
    const { instance } = step.effect;
    const earlier = before.get(instance);
    before.set(instance, step);
    const taking = choices.filter((some) => earlier === undefined || some.includes(earlier));
    choices = [...choices, ...taking.map((some) => [...some, step])];
    if (choices.length > mostChoices) return [[], ...steps.flatMap((one, index) => [[one], steps.slice(0, index + 1)])];
  }
  return choices;
}
