import { quoted } from '../../diagnostics/quoted.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import type { PlanInput } from '../../plan/input.ts';
import { neededForPart } from '../../plan/needed-for-part.ts';
import { optionName, type Caller } from '../option-name.ts';
import { UsageError } from '../usage-error.ts';
import type { DesiredScope } from './load-desired.ts';

/** Refuses a targeted plan that would delete or change a resource that the whole manifests give to another address. */
export function mustMatchWhole(caller: Caller, { whole, removedTargets }: DesiredScope, input: PlanInput): void {
  if (whole === undefined) return;
  const found = neededForPart(whole, input);
  const [first] = found;
  if (first === undefined) return;
  const named = (addresses: readonly string[]): string => addresses.map((one) => safeText(one)).join(', ');
  if (removedTargets.includes(first.address))
    throw new UsageError(
      `${optionName(caller, '--target', 'target')}: ${quoted(first.address)} is the former address of ${safeText(first.needs.at(-1) ?? '')}`,
      `pass ${first.needs.length > 1 ? 'the new addresses' : 'the new address'} instead: ${named(first.needs)}`,
    );
  const needs = [...new Set(found.flatMap((one) => one.needs))];
  throw new UsageError(
    `${safeText(first.address)} cannot be planned without ${named(first.needs)}: the manifests move resources between these addresses`,
    `include ${named(needs)} in the run, or plan the whole stack`,
  );
}
