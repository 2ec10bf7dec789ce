import { describe, expect, test } from 'vitest';
import { changes, changeOf, idOf, planOf, reported, type Given } from '../support.ts';

const audit = 'EventSubscription/audit';
const spec = { description: 'audit' };
const taken: Given = {
  wanted: { [audit]: spec },
  foreign: { [audit]: spec },
  markers: { [audit]: { s: 'web/00000001' } },
  state: { [audit]: {} },
};
const error =
  'OWNED_BY_OTHER_STACK EventSubscription/audit: EventSubscription/audit (esb_audit) now belongs to the stack web/00000001, which has adopted the resource; apply does not create it again';

describe('what another stack has adopted from this one', () => {
  test('is an error that reports which stack has it, at the manifest', () => {
    const plan = planOf(taken);
    expect(reported(plan, 'error')).toEqual([error]);
    expect(plan.diagnostics[0]).toMatchObject({
      place: { file: 'stack.yaml', line: 1 },
      hint: 'remove the manifest of the resource from this stack: apply then removes the resource only from the state; or adopt the resource again with lifecycle: {adopt: esb_audit, adopt_from: 00000001}',
    });
  });

  test('is not reported to be gone', () => {
    expect(changeOf(planOf(taken), audit)).toMatchObject({ action: 'create', why: [] });
    expect(changeOf(planOf(taken), audit).deletedOutside).toBeUndefined();
  });

  test('is also found where it gets another name meanwhile', () => {
    const renamed = { ...taken, wanted: { 'EventSubscription/log': spec } };
    const lifecycle = { 'EventSubscription/log': { moved_from: audit } };
    expect(reported(planOf({ ...renamed, lifecycle }), 'error')).toEqual([error.replace('audit: ', 'log: ')]);
  });

  test('is reported once, not a second time for the hostport that it uses', () => {
    const shop = { 'HTTPSEdge/shop': { hostports: ['shop.example.com:443'] } };
    const plan = planOf({
      wanted: shop,
      foreign: shop,
      markers: { 'HTTPSEdge/shop': { s: 'web/00000001' } },
      state: { 'HTTPSEdge/shop': {} },
    });
    expect(plan.diagnostics.map(({ code }) => code)).toEqual(['OWNED_BY_OTHER_STACK']);
  });

  test('is removed from state alone once no manifest defines it', () => {
    const plan = planOf({ ...taken, wanted: {} });
    expect(changes(plan)).toEqual(['. EventSubscription/audit']);
    expect(plan).toMatchObject({ steps: [], diagnostics: [] });
    expect(changeOf(plan, audit).why).toEqual([
      'not in the manifests, and the resource now belongs to the stack web/00000001',
    ]);
  });

  test('can be taken back', () => {
    const lifecycle = { [audit]: { adopt: idOf(audit), adopt_from: '00000001' } };
    const plan = planOf({ ...taken, lifecycle });
    expect(changes(plan)).toEqual(['> EventSubscription/audit']);
    expect(reported(plan, 'error')).toEqual([]);
  });
});
