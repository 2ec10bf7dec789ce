import { resolveRefs } from '../../../src/derive/references.ts';
import { toState } from '../../../src/derive/stored/to-state.ts';
import { kinds } from '../../../src/kinds/index.ts';
import { isSpecObject, type SpecObject } from '../../../src/kinds/value.ts';
import { splitAddress, type Address } from '../../../src/model/address.ts';
import type { Plan } from '../../../src/model/plan/plan.ts';
import type { Entry, LastAccess } from '../../../src/model/state.ts';
import { planStack } from '../../../src/plan/plan.ts';
import type { Seen } from '../../support/front-door.ts';
import { digest, hazards, idOf, inputOf, stack, type Specs } from '../support.ts';

/** An account, what of it was applied when, and what is remembered, all in memory. */
export interface World {
  readonly actual: Specs;
  readonly applied: Specs;
  /** Routes of nobody on our edges. */
  readonly unmanaged: Specs;
  readonly lastAccess: Readonly<Record<string, LastAccess>>;
}

export const nothing: World = { actual: {}, applied: {}, unmanaged: {}, lastAccess: {} };

/** Plans from a world to manifests: for everything, or for some addresses alone. */
export function planIn(
  { actual, applied, unmanaged, lastAccess }: World,
  manifests: Specs,
  { targets, meant }: { readonly targets?: readonly Address[]; readonly meant?: readonly string[] } = {},
): Plan {
  const wanted =
    targets === undefined
      ? manifests
      : Object.fromEntries(Object.entries(manifests).filter(([address]) => targets.includes(address)));
  const input = inputOf({ wanted, ours: actual, foreign: unmanaged, whole: targets === undefined });
  const entries = Object.fromEntries(
    [...inputOf({ ours: applied }).account.ours].map(([address, { kind, id, spec, parent }]): [Address, Entry] => [
      address,
      {
        kind,
        id,
        ...(parent === undefined ? {} : { parent }),
        spec: toState(kinds.named(kind)?.fields ?? {}, spec, digest),
        protect: false,
        retain: false,
        nonce: 'nonce',
      },
    ]),
  );
  const account = { ...input.account, missing: Object.keys(applied).filter((address) => !(address in actual)) };
  const state = { format: 1, lineage: stack.id, serial: 1, account: '', salt: 'salt', entries, lastAccess } as const;
  const policy = { ...input.policy, ...(meant === undefined ? {} : { public: meant }) };
  return planStack({ ...input, account, state, policy });
}

/** Carries a plan out: whole, or only about the first so many of its changes, or without one that fails and what waits for it. */
export function applied(world: World, plan: Plan, most = Infinity, failing?: Address): World {
  const done = new Set<Address>();
  const failed = failing === undefined ? new Set<Address>() : failedWith(failing, plan);
  const last = new Map(plan.steps.map(({ address }, index) => [address, index]));
  const open = new Set<Address>();
  for (const [index, { address }] of plan.steps.entries()) {
    // A change is carried out whole here: it ends early only between changes.
    if (open.size === 0 && done.size >= most) break;
    if (failed.has(address)) continue;
    open.add(address);
    if (last.get(address) === index) {
      open.delete(address);
      done.add(address);
    }
  }
  const isWhole = plan.steps.every(({ address }) => done.has(address));
  const [actual, known] = [new Map(Object.entries(world.actual)), new Map(Object.entries(world.applied))];
  for (const { address, action, desired, deletedWith, unmanagedFields } of plan.changes) {
    const isDone = done.has(address) || (deletedWith !== undefined && done.has(deletedWith)) || action === 'none';
    if (!isDone && action !== 'forget') continue;
    if (action === 'delete' || action === 'forget') {
      actual.delete(address);
      known.delete(address);
    } else if (desired !== undefined) {
      const spec = resolveRefs(desired, idOf);
      // What needs no request stays as it is, also where the manifests leave something to the service.
      if (action !== 'none')
        actual.set(address, withUnmanaged(spec, Object.keys(unmanagedFields), actual.get(address)));
      known.set(address, spec);
    }
  }
  const { remember, forget } = plan.lastAccess;
  const dropped = new Set(isWhole ? forget : []);
  const lastAccess = Object.fromEntries(
    Object.entries({ ...world.lastAccess, ...remember }).filter(([key]) => !dropped.has(key)),
  );
  const there = withoutOrphans({ ...Object.fromEntries(actual), ...world.unmanaged });
  const unmanaged = Object.fromEntries(Object.entries(world.unmanaged).filter(([address]) => address in there));
  return {
    actual: withoutOrphans(Object.fromEntries(actual)),
    applied: Object.fromEntries(known),
    unmanaged,
    lastAccess,
  };
}

/** A change that fails, and all that wait for it. */
function failedWith(failing: Address, { steps }: Plan): ReadonlySet<Address> {
  const addresses = new Map(steps.map(({ id, address }) => [id, address]));
  const failed = new Set([failing]);
  // Each change that fails may keep others from being made.
  for (const _ of failed)
    for (const { address, dependsOn } of steps)
      if (dependsOn.some(({ step }) => failed.has(addresses.get(step) ?? ''))) failed.add(address);
  return failed;
}

/** A spec with the fields of modules that the manifests leave to the service: requests send them as they are. */
function withUnmanaged(spec: SpecObject, pointers: readonly string[], actual: SpecObject = {}): SpecObject {
  return pointers.reduce((now, pointer) => {
    const [module = '', field = ''] = pointer.slice(1).split('/');
    const [inside, there] = [now[module], actual[module]];
    if (!isSpecObject(inside) || !isSpecObject(there) || there[field] === undefined) return now;
    return { ...now, [module]: { ...inside, [field]: there[field] } };
  }, spec);
}

/** Routes end with their edge. */
export function withoutOrphans(specs: Specs): Specs {
  return Object.fromEntries(
    Object.entries(specs).filter(([address]) => {
      const { kind, name } = splitAddress(address);
      return kind !== 'HTTPSEdgeRoute' || `HTTPSEdge/${name.replace(/:.*$/s, '')}` in specs;
    }),
  );
}

/** The account as anybody could read it. */
export function readingOfWorld({ actual, unmanaged }: Pick<World, 'actual' | 'unmanaged'>): Seen[] {
  return Object.entries({ ...actual, ...unmanaged }).map(([address, spec]): Seen => {
    const { kind, name } = splitAddress(address);
    const [edge = '', match = ''] = name.split(/:(.*)/s);
    const resolved: SpecObject = resolveRefs(spec, idOf);
    return kind === 'HTTPSEdgeRoute'
      ? {
          kind,
          id: address,
          parent: idOf(`HTTPSEdge/${edge}`),
          spec: { match, match_type: 'path_prefix', ...resolved },
        }
      : { kind, id: idOf(address), spec: resolved };
  });
}

/** What each plan of a walk says about access, each plan being applied before the next is made. */
export function walk(...stacks: readonly Specs[]): readonly (readonly string[])[] {
  let world: World = nothing;
  return stacks.map((manifests) => {
    const plan = planIn(world, manifests);
    world = applied(world, plan);
    return hazards(plan).filter((line) => !line.startsWith('INTERRUPTS_TRAFFIC'));
  });
}
