import { describe, expect, test } from 'vitest';
import type { Hazard, HazardCode, Plan } from '../../../src/model/plan/plan.ts';
import type { RuleVerdict } from '../../../src/model/exposure/access-rules.ts';
import { intendedBy, refusedByPolicy } from '../../../src/watch/decide/policy-refusals.ts';
import { inputOf } from '../../plan/support.ts';

const shop = 'HTTPSEdge/shop';
const front = 'HTTPSEdgeRoute/shop:front';
const everythingKnown = { isApproved: () => false, isDoubtful: () => false, isIntended: () => true };

function planWith(hazards: readonly Partial<Hazard>[], rules: readonly Partial<RuleVerdict>[] = []): Plan {
  const about = { address: shop, message: 'so it is' };
  return { changes: [], hazards: hazards.map((one) => ({ ...about, ...one })), rules } as unknown as Plan;
}

const blocking = (...block: HazardCode[]) => inputOf({ policy: { maxDeletes: { count: 9 }, block } });

describe('while manifests have errors', () => {
  const inDoubt = { ...everythingKnown, isDoubtful: () => true };

  test('what becomes public waits', () => {
    const refused = refusedByPolicy(planWith([{ code: 'EXPOSES_PUBLICLY' }]), blocking(), inDoubt);
    expect(refused.get(shop)).toMatchObject({ reason: 'dependency' });
  });

  test('what the repository lists as public becomes public', () => {
    const listed = planWith([{ code: 'EXPOSES_PUBLICLY', listedBy: 'repository' }]);
    expect(refusedByPolicy(listed, blocking(), inDoubt).size).toBe(0);
  });

  test('an approved change that opens nothing is applied', () => {
    const lost = planWith([{ code: 'LOSES_ADDRESS' }]);
    const input = blocking('LOSES_ADDRESS');
    expect(refusedByPolicy(lost, input, inDoubt).get(shop)).toMatchObject({ reason: 'approval' });
    expect(refusedByPolicy(lost, input, { ...inDoubt, isApproved: () => true }).size).toBe(0);
  });
});

test('an approved deletion does not count against `max_deletes`', () => {
  const deletions = [shop, front].map((address) => ({ address, action: 'delete' }));
  const part = { ...planWith([]), changes: deletions } as unknown as Plan;
  const input = inputOf({ policy: { maxDeletes: { count: 1 }, block: [] } });
  const refused = (approved: readonly string[]): readonly string[] => [
    ...refusedByPolicy(part, input, {
      ...everythingKnown,
      isApproved: (address) => approved.includes(address),
    }).keys(),
  ];
  expect(refused([])).toEqual([shop, front]);
  expect(refused([front])).toEqual([]);
});

test('a rule of the repository asks for approval; one of the operator does not, since no approval lifts it', () => {
  const broken = (source: RuleVerdict['source']) =>
    planWith([], [{ rule: 'staff', source, isBreach: true, isAllowed: false, causes: [shop] }]);
  expect(refusedByPolicy(broken('repository'), blocking(), everythingKnown).get(shop)).toMatchObject({
    reason: 'approval',
  });
  expect(refusedByPolicy(broken('operator'), blocking(), everythingKnown).size).toBe(0);
});

test('a change waits where it opens a URL alone that another change is to open', () => {
  const effect = (cause: string, url: string) => ({ cause, urls: [url], before: 'a', after: 'b', asked: ['b'] });
  const opens = (effects: Hazard['effects']): Plan =>
    planWith([{ code: 'OPENS_ACCESS', causes: [shop, front], ...(effects === undefined ? {} : { effects }) }]);
  const input = blocking();
  const full = opens([effect(shop, 'https://a.example.com/'), effect(front, 'https://b.example.com/')]);
  const isIntended = intendedBy(full, input);
  expect(refusedByPolicy(full, input, { ...everythingKnown, isIntended }).size).toBe(0);
  const alone = opens([effect(shop, 'https://b.example.com/')]);
  expect(refusedByPolicy(alone, input, { ...everythingKnown, isIntended }).get(shop)).toMatchObject({
    reason: 'dependency',
  });
});

test('a hazard of the whole stack is one that the manifests intend, whichever change it names', () => {
  const many = (address: string): Plan => planWith([{ code: 'MANY_DELETES', address, isOfStack: true }]);
  const input = blocking('MANY_DELETES');
  const isIntended = intendedBy(many(shop), input);
  expect(refusedByPolicy(many(front), input, { ...everythingKnown, isApproved: () => true, isIntended }).size).toBe(0);
});
