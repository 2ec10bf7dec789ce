import { fieldAt } from '../derive/field-at.ts';
import { pointerOf } from '../derive/pointer.ts';
import { kinds } from '../kinds/index.ts';
import type { FieldChange } from '../model/plan.ts';
import type { DifferingField } from '../model/watch-status.ts';
import { changeText, planText } from '../render/plan/plan-text.ts';
import { plain } from '../render/text/palette.ts';
import { fieldValueText } from '../render/values/field-value.ts';
import type { Ports } from './ports.ts';

const longestPlan = 65_536;
const longestChange = 16_384;
const mostFields = 100;
const options = { kinds, palette: plain };

/** Plans and changes as text for the status of a watch, cut where they are very long. */
export const shownByWatch: Ports['show'] = {
  plan: (plan) => cut(planText(plan, options), longestPlan),
  changes: (plan) => {
    const details = changeText(plan, options);
    const changes = new Map(plan.changes.map((change) => [change.address, change]));
    return (address) => {
      const change = changes.get(address);
      if (change === undefined) return { details: '', fields: [] };
      return {
        details: cut(details(change), longestChange),
        fields: change.fields.slice(0, mostFields).map((field) => shownField(field, change.kind)),
      };
    };
  },
  field: shownField,
};

function shownField({ path, before, after }: FieldChange, kind: string): DifferingField {
  const field = fieldAt(kinds.named(kind)?.fields ?? {}, path);
  return { pointer: pointerOf(path), desired: fieldValueText(after, field), actual: fieldValueText(before, field) };
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, longest)}\n… ${String(text.length - longest)} more characters: run \`sluice plan\`\n`;
}
