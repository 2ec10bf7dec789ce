import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonText } from '../../../src/render/text/json-text.ts';
import { statusJson } from '../../../src/render/status/status-json.ts';
import { statusJsonSchema, type StatusJson } from '../../../src/render/status/status-json-schema.ts';
import type { WatchStatus } from '../../../src/model/status/watch-status.ts';
import { statusOfTexts } from '../../watch/hostile-status.ts';
import { awaitedDigest, awaiting, huge, inTrouble, statuses } from '../../watch/statuses.ts';
import { hostile } from '../hostile-text.ts';

const validate = new Ajv2020({ strict: false }).compile(
  JSON.parse(readFileSync(new URL('../../../schemas/status.schema.json', import.meta.url), 'utf8')) as object,
);

function document(status: WatchStatus, search = ''): StatusJson {
  return JSON.parse(jsonText(statusJson(status, search))) as StatusJson;
}

describe('a status as JSON', () => {
  test.each(Object.entries(statuses))('is what its schema says: %s', (_, status) => {
    expect(validate(document(status)), JSON.stringify(validate.errors)).toBe(true);
  });

  test('has keys in snake_case and times in RFC 3339', () => {
    expect(document(awaiting)).toMatchObject({
      format_version: '1.0',
      time: '2026-03-14T12:00:00.000Z',
      last_success: '2026-03-14T09:00:00.000Z',
      approval_digest: awaitedDigest,
      approval_ways: ['page', 'commit'],
      refused_approval: 'commit 4f2d1c8a9b3e does not approve these changes: the commit has no SSH signature',
      approval_summary: {
        changes: [
          { action: 'update', kind: 'HTTPSEdge', count: 1 },
          { action: 'delete', kind: 'ReservedAddr', count: 1 },
        ],
        hazards: [
          { code: 'OPENS_ACCESS', count: 1 },
          { code: 'LOSES_ADDRESS', count: 1 },
        ],
        follows: [{ action: 'delete', address: 'CertificateAuthority/partners-2025' }],
      },
      summary: { 'requires-approval': 2, blocked: 1, waiting: 1, 'in-sync': 11 },
      pending: [{ address: 'AgentIngress/office', reason: 'protected', since: '2026-03-14T09:00:00.000Z' }, {}, {}, {}],
    });
  });

  test('has 10,000 resources on pages of 1,000, the most urgent first', () => {
    const pages = [];
    for (let next: string | undefined = 'status.json'; next !== undefined && pages.length < 20;) {
      const page = document(huge, new URL(next, 'http://localhost').search);
      pages.push(page);
      next = page.next_page;
    }
    expect(pages.map(({ resources }) => resources.length)).toEqual(new Array(10).fill(1_000));
    expect(new Set(pages.flatMap(({ resources }) => resources.map(({ address }) => address))).size).toBe(10_000);
    expect([pages[0]?.resources_total, pages[0]?.resources[0]?.sync_status]).toEqual([10_000, 'requires-approval']);
    const drifted = huge.pending.filter(({ reason, address }) => reason === 'manual' && address.includes('-8'));
    expect(document(huge, '?status=drifted&q=team-8')).toMatchObject({
      resources_total: drifted.length,
      summary: pages[0]!.summary,
    });
  });

  test('has the differences of the first 100 changes, and of every change by its address', () => {
    const { pending, pending_total } = document(huge);
    expect([pending.length, pending_total]).toEqual([huge.pending.length, huge.pending.length]);
    expect(pending.filter(({ details }) => details !== undefined)).toHaveLength(100);
    const { address } = pending.filter(({ reason }) => reason === 'approval').at(-1)!;
    const one = document(huge, `?address=${encodeURIComponent(address)}`);
    expect(one.pending).toMatchObject([{ address, details: expect.stringContaining('- rule 119') as string }]);
    expect(one.resources).toMatchObject([{ address, sync_status: 'requires-approval' }]);
    expect(validate(one), JSON.stringify(validate.errors)).toBe(true);
  });

  test('has up to 1,000 failures and 1,000 diagnostics, errors first, and how many there are', () => {
    const failures = huge.resources.map(({ address }) => ({
      scope: address,
      code: 'X',
      message: 'no',
      since: 0,
      attempts: 1,
    }));
    const diagnostics = huge.resources.map(({ address }, at) => ({
      ...{ code: 'UNKNOWN_FIELD' as const, message: 'no', address },
      severity: at % 20 === 19 ? ('error' as const) : ('warning' as const),
    }));
    const broken = document({ ...huge, failures, diagnostics });
    expect([broken.failures.length, broken.failures_total]).toEqual([1_000, 10_000]);
    expect([broken.diagnostics.length, broken.diagnostics_total]).toEqual([1_000, 10_000]);
    expect(broken.diagnostics.findLastIndex(({ severity }) => severity === 'error')).toBe(499);
    expect(validate(broken), JSON.stringify(validate.errors)).toBe(true);
  });

  test('has up to 1,000 of everything else that grows with the stack, and how many there are', () => {
    const { resources } = huge;
    const exposures = resources.map(({ address }) => ({ address, message: 'm', urls: [] }));
    const ruleBreaches = resources.map(({ address }) => ({
      address,
      message: 'm',
      rule: 'r',
      source: 'operator' as const,
    }));
    const driftConflicts = resources.map(({ address }) => ({
      ...{ address, pointer: '/spec', desired: 'a', actual: 'b', count: 3, since: 0 },
    }));
    const rows = resources.map(({ address }) => ({
      audience: 'public' as const,
      who: 'w',
      urls: [],
      edge: address,
      route: address,
    }));
    const addresses = resources.map(({ address: resource }) => ({ resource, who: 'w' }));
    const [record] = inTrouble.history;
    const outcome = resources.map(({ address }) => ({ address, action: 'create' as const, ending: 'done' as const }));
    const history = record === undefined ? [] : Array.from({ length: 50 }, () => ({ ...record, outcome }));
    const one = document({
      ...huge,
      exposures,
      ruleBreaches,
      driftConflicts,
      history,
      exposure: { rows, addresses } as never,
    });
    for (const name of ['exposures', 'exposure', 'addresses', 'rule_breaches', 'drift_conflicts'] as const)
      expect([name, one[name]?.length, one[`${name}_total`]]).toEqual([name, 1_000, 10_000]);
    expect(one.applies.map(({ changes }) => changes.length)).toEqual(Array.from({ length: 50 }, () => 1_000));
    expect(one.applies.filter(({ plan }) => plan !== undefined)).toHaveLength(10);
    expect(one.applies[0]?.omitted).toEqual([{ action: 'create', outcome: 'done', count: 9_000 }]);
    expect(validate(one), JSON.stringify(validate.errors)).toBe(true);
  });

  test('has of one address what concerns it, and nothing else', () => {
    const one = document(inTrouble, '?address=HTTPSEdgeRoute/shop:console');
    expect(one).toMatchObject({
      drift_conflicts: [{ pointer: '/oauth/session_lifetime' }],
      pending: [{ reason: 'drift-conflict' }],
      failures: [],
    });
    expect(one.applies.length).toBe(1);
    expect(document(inTrouble, '?address=HTTPSEdge/none')).toMatchObject({ resources: [], resources_total: 0 });
  });

  test('has a drift conflict over a secret like any other', () => {
    const driftConflicts = inTrouble.driftConflicts.map((one) => ({ ...one, hasSecret: true as const }));
    expect(validate(document({ ...inTrouble, driftConflicts })), JSON.stringify(validate.errors)).toBe(true);
  });

  test('is the same document whatever texts hold, with nothing that acts on a terminal', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 40 }), (texts) => {
        const text = jsonText(statusJson(statusOfTexts(texts)));
        expect(statusJsonSchema.safeParse(JSON.parse(text)).error).toBeUndefined();
        expect(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.exec(text.replaceAll('\n', ''))).toBeNull();
      }),
      { numRuns: 100 },
    );
  });
});
