import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { awaiting, breached, inTrouble, allWell, applying } from './statuses.ts';

/** A status in which every text that comes from outside is one of those given, in turn. */
export function statusOfTexts(texts: readonly string[]): WatchStatus {
  let at = 0;
  const next = (): string => texts[at++ % texts.length] ?? '';
  // What is reported of a resource must say the same address everywhere.
  const renamed = new Map<string, string>();
  const address = (old: string): string => {
    const known = renamed.get(old) ?? `HTTPSEdge/${next()}`;
    renamed.set(old, known);
    return known;
  };
  const revision = () => ({ content: next(), commit: next(), branch: next(), subject: next() });
  const place = () => ({ file: next(), line: 3, col: 2, excerpt: next(), span: 4, caret: 3 });
  const { pending } = awaiting;
  return {
    ...allWell,
    stack: { name: next(), id: next() },
    version: next(),
    leader: next(),
    pause: { until: allWell.now, at: allWell.now, by: next(), reason: next() },
    conditions: inTrouble.conditions.map((one) => ({ ...one, reason: next(), message: next() })),
    revision: revision(),
    lastGood: revision(),
    resources: inTrouble.resources.map((one) => ({
      ...one,
      address: address(one.address),
      dependsOn: one.dependsOn.map(address),
      kind: next(),
      note: next(),
      source: next(),
    })),
    pending: [...pending, ...inTrouble.pending].map((one) => ({
      ...one,
      address: address(one.address),
      message: next(),
      introduced: { revision: revision(), isExact: true },
      details: next(),
      fields: [{ pointer: next(), desired: next(), actual: next() }],
      hazards: one.hazards.map((hazard) => ({ ...hazard, address: address(hazard.address), message: next() })),
    })),
    awaited: {
      digest: `91b2cc04${next()}`,
      plan: next(),
      summary: {
        changes: [{ action: 'delete', kind: next(), count: 1 }],
        hazards: [{ code: 'LOSES_ADDRESS', count: 1 }],
      },
      follows: [{ action: 'update', address: address('HTTPSEdge/follows') }],
    },
    applying: {
      ...applying(1).applying!,
      digest: next(),
      revision: revision(),
      approvals: [{ digest: next(), by: next(), at: allWell.now, reason: next() }],
      changes: applying(1).applying!.changes.map((one) => ({ ...one, address: address(one.address) })),
    },
    history: allWell.history.map((one) => ({
      ...one,
      revision: revision(),
      digest: next(),
      approvals: [{ digest: next(), by: next(), at: allWell.now, reason: next() }],
      plan: next(),
      outcome: one.outcome.map((change) => ({
        ...change,
        address: address(change.address),
        message: next(),
        because: address('HTTPSEdge/api'),
        code: next(),
        id: next(),
      })),
    })),
    ruleBreaches: breached.ruleBreaches.map((one) => ({
      ...one,
      rule: next(),
      address: next(),
      request: next(),
      message: next(),
      place: { file: next(), line: 1, col: 1 },
      rulePlace: { file: next(), line: 1, col: 1 },
    })),
    exposures: breached.exposures.map((one) => ({ ...one, address: next(), message: next(), urls: [next()] })),
    exposure: {
      rows: breached.exposure!.rows.map((one) => ({
        ...one,
        who: next(),
        urls: [next()],
        edge: next(),
        route: next(),
      })),
      variants: [],
    },
    driftConflicts: inTrouble.driftConflicts.map((one) => ({
      ...one,
      address: address(one.address),
      pointer: next(),
      desired: next(),
      actual: next(),
    })),
    failures: inTrouble.failures.map((one) => ({ ...one, scope: next(), code: next(), message: next(), hint: next() })),
    diagnostics: inTrouble.diagnostics.map((one) => ({
      ...one,
      message: next(),
      hint: next(),
      address: next(),
      place: place(),
      related: [{ message: next(), place: place() }],
    })),
  };
}
