import { fieldAt } from '../derive/field-at.ts';
import { pointerOf } from '../derive/pointer.ts';
import { kinds } from '../kinds/index.ts';
import { someInside } from '../kinds/leaves.ts';
import { Secret } from '../kinds/value.ts';
import { yieldToLoop } from '../manifest/read/yield-to-loop.ts';
import type { FieldChange, Plan } from '../model/plan/plan.ts';
import { inSlices } from '../model/sliced.ts';
import type { Address } from '../model/address.ts';
import type { DifferingField, PendingChange } from '../model/status/watch-status.ts';
import { changeText, planTextInSteps } from '../render/plan/plan-text.ts';
import { plain } from '../render/text/palette.ts';
import { type IdNames, fieldValueText, idNames } from '../render/values/field-value.ts';

const longestPlan = 65_536;
const longestChange = 16_384;
const mostFields = 100;
const options = { kinds, palette: plain };

/** A plan as text for the status of a watch, cut where it is very long. */
export async function shownPlan(plan: Plan): Promise<string> {
  return cut(await wholePlanText(plan), longestPlan);
}

/** What each change of a plan does, for the status of a watch, cut where it is very long. */
export function shownChanges(plan: Plan): (address: Address) => Pick<PendingChange, 'details' | 'fields'> {
  const details = changeText(plan, options);
  const names = idNames(plan);
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  return (address) => {
    const change = changes.get(address);
    if (change === undefined) return { details: '', fields: [] };
    // The reason why it is pending is printed beside it.
    const { blocked: _, ...unblocked } = change;
    return {
      details: cut(details(unblocked), longestChange),
      fields: change.fields.slice(0, mostFields).map((field) => shownField(field, change.kind, names)),
    };
  };
}

const texts = new WeakMap<Plan, Promise<string>>();

/** The whole text of a plan, made once: the record of its run holds it, too. */
export function wholePlanText(plan: Plan): Promise<string> {
  const text = texts.get(plan) ?? inSlices(planTextInSteps(plan, options), yieldToLoop());
  texts.set(plan, text);
  return text;
}

/** The two values of a field, for the status of a watch. */
export function shownField({ path, before, after }: FieldChange, kind: string, names: IdNames): DifferingField {
  const field = fieldAt(kinds.named(kind)?.fields ?? {}, path);
  return {
    pointer: pointerOf(path),
    desired: fieldValueText(after, field, names),
    actual: fieldValueText(before, field, names),
    ...(someInside(before, (one) => one instanceof Secret) ? { hasSecret: true } : {}),
  };
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}\n… ${String(text.length - longest)} more characters: run \`sluice plan\`\n`;
}
