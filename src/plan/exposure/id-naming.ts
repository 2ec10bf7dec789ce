import { oncePer } from '../../kinds/once-per.ts';
import type { Address } from '../../model/address.ts';
import { isReplacement } from '../../model/plan/plan.ts';
import type { Decisions } from '../decide.ts';
import type { PlanInput } from '../input.ts';

/** Replaces the ids in a text by the addresses of their resources. */
export type IdNaming = (text: string) => string;

/** Maps ids to names. For a resource that is replaced, or created again, its id is `the old instance of ADDRESS`, and its address is `the new instance of ADDRESS`. */
export function idNaming(decisions: Decisions, input: NamedInput): IdNaming {
  // Computed on first use: most plans need no names.
  let known: ReadonlyMap<string, string> | undefined;
  // Many URLs have the same requirements, so results are kept.
  return oncePer(new Map([['', '']]), (text) => named(text, (known ??= namesById(decisions, input))));
}

function named(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/[^\s(),`]+(?:, [^\s(),`]+)*/g, (list) => {
    const entries = list.split(', ');
    // Services return a set in any order.
    return entries.some((entry) => names.has(entry))
      ? entries
          .map((entry) => names.get(entry) ?? entry)
          .sort()
          .join(', ')
      : list;
  });
}

type NamedInput = Pick<PlanInput, 'account' | 'desired' | 'state'>;

function namesById(decisions: Decisions, { account, desired, state }: NamedInput): ReadonlyMap<string, string> {
  const names = new Map(Object.entries(desired.externals ?? {}));
  const replaced = (address: Address, id: string): void => {
    names.set(id, `the old instance of ${address}`);
    names.set(address, `the new instance of ${address}`);
  };
  for (const [address, { action }] of decisions) {
    const entry = action === 'create' ? state?.entries[address] : undefined;
    if (entry !== undefined) replaced(address, entry.id);
  }
  for (const [address, { id }] of account.ours) names.set(id, address);
  for (const [address, { action, pair }] of decisions) {
    if (pair.actual === undefined) continue;
    names.set(pair.actual.id, address);
    if (isReplacement(action)) replaced(address, pair.actual.id);
  }
  return names;
}
