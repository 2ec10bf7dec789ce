import { expect, test } from 'vitest';
import type { Account } from '../../../src/model/actual.ts';
import type { Change } from '../../../src/model/plan/plan.ts';
import type { DesiredScope } from '../../../src/stack/plan/load-desired.ts';
import { refreshScope } from '../../../src/stack/plan/refresh-stack.ts';
import { splitPlan, type ToSplit } from '../../../src/stack/plan/split-plan.ts';
import { inputOf, stack, type Given, type Specs } from '../../plan/support.ts';

const edge = 'HTTPSEdge/shop';
const named = (changes: readonly Change[] = []): string[] =>
  changes.map(({ action, address }) => `${action} ${address}`);

/** A change from an account to what is wanted, compared with a base and with what was applied last. */
function split(
  { wanted, base, applied, ours }: Record<'wanted' | 'base' | 'applied' | 'ours', Specs>,
  more: Given = {},
  left: Partial<Account> = {},
) {
  const input = inputOf({ wanted, ours, ...more });
  const { complete: _, ...account } = { ...input.account, ...left };
  // Authorities are not read: no manifest of the change refers to one by its address.
  const read = { ...input, account: { ...account, complete: new Set(['HTTPSEdge', 'ReservedAddr']) } };
  const committed = (specs: Specs) => ({
    wanted: {
      desired: inputOf({ wanted: specs }).desired,
      described: Object.keys(specs),
      removedTargets: [],
    } as unknown as DesiredScope,
    stack: input.stack,
  });
  const scope = refreshScope({ desired: input.desired, described: Object.keys(wanted) }, {});
  return splitPlan({
    input: read,
    scope,
    loaded: { base: { commit: 'b'.repeat(40) }, ...committed(base) },
    applied: { commit: 'a'.repeat(40), ...committed(applied) },
    flags: {},
  } as unknown as ToSplit);
}

const plain = { hostports: ['shop.example.com:443'] };
const restricted = { ...plain, mutual_tls: { certificate_authority_ids: ['ca_others'] } };

test('what each step refers to by its id is there in the copy, although nothing else refers to it', async () => {
  const parts = await split({
    wanted: { [edge]: { ...plain, description: 'new' } },
    base: { [edge]: plain },
    applied: { [edge]: restricted },
    // Somebody has removed the module by hand.
    ours: { [edge]: plain },
  });
  if ('inseparable' in parts) throw new Error(parts.inseparable);
  if ('unknown' in parts.applied) throw new Error(parts.applied.unknown);
  expect([named(parts.thisChange), named(parts.pending)]).toEqual([[`update ${edge}`], []]);
  expect([named(parts.applied.drift), named(parts.applied.notApplied)]).toEqual([
    [`update ${edge}`],
    [`update ${edge}`],
  ]);
});

test('what is left of a replaced resource is deleted by its id, which is that of the account', async () => {
  const marker = { s: `${stack.name}/${stack.id}`, a: edge, p: '', n: 'old' };
  const spec = { hostports: ['old.example.com:443'] };
  const old = { kind: 'HTTPSEdge', id: 'edghts_old', spec, computed: {}, marker };
  const state = { [edge]: { deposed: [old.id] } };
  const specs = { [edge]: plain };
  const parts = await split(
    { wanted: specs, base: specs, applied: specs, ours: specs },
    { state },
    { deposed: [{ address: edge, actual: old }] },
  );
  if ('inseparable' in parts) throw new Error(parts.inseparable);
  expect(parts.pending.map(({ action, address, id }) => [action, address, id])).toEqual([
    ['delete', `${edge} (deposed ${old.id})`, old.id],
  ]);
});
