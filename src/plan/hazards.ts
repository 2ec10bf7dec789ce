import type { Address } from '../model/address.ts';
import type { Hazard } from '../model/plan.ts';
import { isReplace, type Decision } from './decide.ts';
import type { Draft } from './draft.ts';
import type { PlanInput } from './input.ts';
import { exceedsMaxDeletes, goesAway } from './policy.ts';
import { districtsOf, worldNow } from './probes.ts';
import { opened } from './traffic.ts';
import { widenings } from './widening.ts';

/** The dangers of a plan that a reviewer must see first. */
export function findHazards(
  decisions: ReadonlyMap<Address, Decision>,
  drafts: readonly Draft[],
  input: PlanInput,
): Hazard[] {
  const own = [...decisions.values()].flatMap((decision) => [...wideningsOf(decision), ...hazardsOf(decision)]);
  const going = [...decisions.values()].filter(goesAway);
  const [first] = going;
  const many: Hazard[] =
    first !== undefined && exceedsMaxDeletes(going.length, input)
      ? [
          {
            code: 'MANY_DELETES',
            address: first.pair.address,
            message: `${String(going.length)} of ${String(input.account.ours.size)} managed resources would go`,
          },
        ]
      : [];
  return [...openings(decisions, drafts, input), ...own, ...many];
}

function wideningsOf(decision: Decision): Hazard[] {
  if (decision.action === 'none') return [];
  const { address } = decision.pair;
  return widenings(decision).map((message) => ({ code: 'OPENS_ACCESS', address, message }));
}

function hazardsOf({ pair, action }: Decision): Hazard[] {
  const { kind, address } = pair;
  const ends = action === 'delete' || isReplace(action);
  if (ends && kind.loses === 'address')
    return [{ code: 'LOSES_ADDRESS', address, message: kind.protectedBecause ?? 'it cannot be had back' }];
  if (ends && kind.loses === 'credential')
    return [
      {
        code: 'REISSUES_CREDENTIAL',
        address,
        message: action === 'delete' ? 'it goes out of use' : 'a new one is issued, the old one goes out of use',
      },
    ];
  return action === 'adopt'
    ? [{ code: 'ADOPTS_EXISTING', address, message: `${pair.actual?.id ?? ''} becomes part of this stack` }]
    : [];
}

/** Requests that need to show less after than before. */
function openings(decisions: ReadonlyMap<Address, Decision>, drafts: readonly Draft[], input: PlanInput): Hazard[] {
  const found = new Map<string, Hazard>();
  for (const { watched } of districtsOf(worldNow(decisions, input.account, input.kinds), drafts)) {
    for (const { probe, before, after, drafts: touching } of watched) {
      const classes = opened(before, after);
      const [first] = touching.map(({ address }) => address).sort();
      const key = `${first ?? ''} ${classes.join()}`;
      if (classes.length === 0 || first === undefined || found.has(key)) continue;
      const place = `${probe.place}${probe.path.replace('\0', '…')}`;
      found.set(key, {
        code: 'OPENS_ACCESS',
        address: first,
        message: `requests to ${place} no longer pass a guard of ${classes.join(', ')}`,
      });
    }
  }
  return [...found.values()];
}
