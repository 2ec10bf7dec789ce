import { hash } from 'node:crypto';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { compareText } from '../../model/compare-text.ts';
import type { AccessException } from '../../model/exposure/access-rules.ts';
import type { Policy } from '../../model/stack.ts';
import type { RunRecord } from '../../state/run-record.ts';

/** The rules of the repository by which a run was made, as its record keeps them. */
export type RecordedRules = NonNullable<RunRecord['rules']>;

/** What a record keeps of the rules that `sluice.yaml` sets. */
export function recordedRules(
  { maxDeletes, block, access = [] }: Policy,
  { apply_on_change, heal_drift, prune, renew, kinds }: WatchRules,
): RecordedRules {
  const own = access.find(({ source }) => source === 'repository');
  return {
    max_deletes: 'count' in maxDeletes ? String(maxDeletes.count) : `${String(maxDeletes.percent)}%`,
    block: [...block].sort(),
    ...(own?.public === undefined ? {} : { public: [...own.public].sort() }),
    access: Object.fromEntries(
      (own?.rules ?? []).map((rule) => [rule.name, hash('sha256', JSON.stringify(rule)).slice(0, 16)]),
    ),
    exceptions: (own?.exceptions ?? []).map(nameOf).sort(),
    until: lastDays(own?.exceptions ?? []),
    strict: own?.strict === true,
    watch: { apply_on_change, heal_drift, prune, renew, kinds },
  };
}

/** A warning where `sluice.yaml` is less strict than when the last run was made. */
export function looserRules(last: RunRecord, now: RecordedRules): Diagnostic[] {
  if (last.rules === undefined) return [];
  const found = loosened(last.rules, now);
  if (found.length === 0) return [];
  return [
    {
      code: 'RULES_LOOSENED',
      severity: 'warning',
      message: `sluice.yaml is less strict than in the last run (began ${safeText(last.began, 40)}): ${found.map((one) => safeText(one, 200)).join('; ')}`,
      hint: 'review the change of sluice.yaml as carefully as the resource changes that it now allows; to set limits that no commit can loosen, use an operator policy',
    },
  ];
}

function loosened(before: RecordedRules, now: RecordedRules): string[] {
  const gone = (from: readonly string[], to: readonly string[]): string[] => from.filter((one) => !to.includes(one));
  // The first list makes something stricter, unless all that becomes public was blocked.
  const isListLooser = before.public !== undefined || before.block.includes('EXPOSES_PUBLICLY');
  const isRaised = isHigher(now.max_deletes, before.max_deletes);
  return [
    ...(isRaised ? [`\`policy.max_deletes\` is ${now.max_deletes} (was ${before.max_deletes})`] : []),
    ...gone(before.block, now.block).map((code) => `\`policy.block\` no longer lists ${code}`),
    ...(before.public !== undefined && now.public === undefined ? ['`access.public` is no longer declared'] : []),
    ...(isListLooser ? gone(now.public ?? [], before.public ?? []) : []).map(
      (url) => `\`access.public\` now lists ${url}`,
    ),
    ...Object.entries(before.access).flatMap(([name, digest]) => {
      const then = now.access[name];
      if (then === undefined) return [`the access rule ${name} is removed`];
      return then === digest ? [] : [`the access rule ${name} has changed`];
    }),
    ...gone(now.exceptions, before.exceptions).map((one) => `there is a new exception to the access rule ${one}`),
    ...Object.entries(now.until ?? {}).flatMap(([one, day]) => {
      const was = before.until?.[one];
      return was !== undefined && day > was
        ? [`the exception to the access rule ${one} lasts until ${day} (was ${was})`]
        : [];
    }),
    ...(before.strict && !now.strict ? ['`access.strict` is no longer true'] : []),
    ...(before.watch === undefined || now.watch === undefined ? [] : looserWatch(before.watch, now.watch)),
  ];
}

function nameOf({ rule, url }: AccessException): string {
  return `${rule} at ${url}`;
}

/** The last day of each exception; of several that are alike, the latest. */
function lastDays(exceptions: readonly AccessException[]): Record<string, string> {
  const days = [...exceptions].sort((a, b) => compareText(a.until, b.until));
  return Object.fromEntries(days.map((one) => [nameOf(one), one.until]));
}

/** Whether a limit allows more; a share and a number cannot be compared, so another sort counts as more. */
function isHigher(now: string, before: string): boolean {
  const isShare = (limit: string): boolean => limit.endsWith('%');
  return isShare(now) === isShare(before) ? Number.parseFloat(now) > Number.parseFloat(before) : true;
}

/** What `sluice.yaml` lets a watch apply without approval. */
export type WatchRules = NonNullable<NonNullable<RunRecord['rules']>['watch']>;

const flags = ['apply_on_change', 'heal_drift', 'prune', 'renew'] as const;

/** What a watch may apply without approval now, and not before. */
function looserWatch(before: WatchRules, now: WatchRules): string[] {
  const reverts = ({ kinds, heal_drift: all }: WatchRules, kind: string): boolean =>
    (kinds[kind] ?? (all ? 'heal' : '')) === 'heal';
  // Where all drift is reverted now, one line says so for all kinds that follow it.
  const isOwn = (kind: string): boolean => before.heal_drift || !now.heal_drift || Object.hasOwn(now.kinds, kind);
  const kinds = [...new Set([...Object.keys(before.kinds), ...Object.keys(now.kinds)])].sort();
  return [
    ...flags.filter((name) => now[name] && !before[name]).map((name) => `\`watch.${name}\` is true (was false)`),
    ...kinds
      .filter((kind) => reverts(now, kind) && !reverts(before, kind) && isOwn(kind))
      .map((kind) => `\`watch\` now reverts drift of ${kind}`),
  ];
}
