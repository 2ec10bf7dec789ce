import { fieldAt } from '../derive/field-at.ts';
import { pointerOf } from '../derive/pointer.ts';
import { kinds } from '../kinds/index.ts';
import { someInside } from '../kinds/leaves.ts';
import { Secret, type SpecValue } from '../kinds/value.ts';
import { yieldToLoop } from '../manifest/read/yield-to-loop.ts';
import type { FieldChange, Plan } from '../model/plan/plan.ts';
import { inSlices } from '../model/sliced.ts';
import type { DifferingField } from '../model/status/watch-status.ts';
import { changeText, planTextInSteps } from '../render/plan/plan-text.ts';
import { plain } from '../render/text/palette.ts';
import { fieldValueText, idNames, type IdNames } from '../render/values/field-value.ts';
import type { Ports } from './ports.ts';

const longestPlan = 65_536;
const longestChange = 16_384;
const mostFields = 100;
const options = { kinds, palette: plain };

/** Plans and changes as text for the status of a watch, cut where they are very long. */
export const shownByWatch: Ports['show'] = {
  plan: async (plan) => cut(await wholePlanText(plan), longestPlan),
  changes: (plan) => {
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
  },
  field: (field, kind, plan) => shownField(field, kind, idNames(plan)),
};

const texts = new WeakMap<Plan, Promise<string>>();

/** The whole text of a plan, made once: the record of its run holds it, too. */
export function wholePlanText(plan: Plan): Promise<string> {
  const text = texts.get(plan) ?? inSlices(planTextInSteps(plan, options), yieldToLoop());
  texts.set(plan, text);
  return text;
}

function shownField({ path, before, after }: FieldChange, kind: string, names: IdNames): DifferingField {
  const field = fieldAt(kinds.named(kind)?.fields ?? {}, path);
  return {
    pointer: pointerOf(path),
    desired: fieldValueText(after, field, names),
    actual: fieldValueText(before, field, names),
    ...(isSecretIn(before) ? { hasSecret: true } : {}),
  };
}

function isSecretIn(value: SpecValue | undefined): boolean {
  return someInside(value, (one) => one instanceof Secret);
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}\n… ${String(text.length - longest)} more characters: run \`sluice plan\`\n`;
}
