import { expect, test } from 'vitest';
import { stackText } from '../../src/cli/commands/watch/stack-text.ts';
import { InvalidInput } from '../../src/diagnostics/errors.ts';
import type { WatchStatus } from '../../src/model/status/watch-status.ts';
import { jsonText } from '../../src/render/text/json-text.ts';
import { statusJson } from '../../src/render/status/status-json.ts';
import type { StatusJson } from '../../src/render/status/status-json-schema.ts';
import { failureDetails } from '../../src/watch/failures.ts';
import { awaitedDigest, awaiting, breached, statuses } from '../watch/statuses.ts';

/** What `sluice status` prints of a status. */
const printed = (status: WatchStatus): string => stackText(JSON.parse(jsonText(statusJson(status))) as StatusJson);

test('what is pending has its hazards, and the ways to approve it that are enabled', () => {
  const text = printed(awaiting);
  expect(text).toContain('    ! OPENS_ACCESS  HTTPSEdge/api: requests to https://api.example.com/');
  expect(text).toContain(`  to approve these changes, run: sluice approve ${awaitedDigest}\n`);
  expect(printed({ ...awaiting, approvalWays: ['page', 'commit'] })).toContain(
    `  or push a signed commit with the trailer: Sluice-Approve: ${awaitedDigest}\n  or approve these changes on the status page\n`,
  );
});

test('what waits for something else than an approval reports what to do, once for each reason', () => {
  const [first] = awaiting.pending;
  if (first === undefined) throw new Error('nothing waits');
  const pending = (['manual', 'manual', 'protected'] as const).map((reason, n) => ({
    ...first,
    reason,
    address: `HTTPSEdge/${String(n)}`,
  }));
  const { awaited: _, ...status } = awaiting;
  const text = printed({ ...status, pending });
  expect(text.match(/ {2}to resolve a change \(blocked by deletion protection\): /g)).toHaveLength(1);
  expect(text.match(/ {2}to apply the manifests: run these commands in this order/g)).toHaveLength(1);
  expect(text).toContain(
    '\n    sluice pause\n    sluice apply --target HTTPSEdge/0 --target HTTPSEdge/1\n    sluice resume\n',
  );
});

test('whoever can reach what they must not is named before what is pending', () => {
  const text = printed(breached);
  const [breach] = breached.ruleBreaches;
  expect(text).toContain(`  broken access rule: ${breach?.address ?? ''}: ${breach?.message ?? ''}\n`);
  const exposed = { address: 'HTTPSEdge/shop', message: 'anyone can reach it', urls: ['https://shop.example.com/'] };
  expect(printed({ ...awaiting, exposures: [exposed] })).toMatch(
    /public, but should not be: HTTPSEdge\/shop: anyone can reach it\n[^]*requires approval, introduced by/,
  );
});

test('what status.json omits is counted as well', () => {
  const of = <T>(one: T): T[] => Array.from({ length: 3_000 }, () => one);
  const failures = of({ scope: 'HTTPSEdge/shop', code: 'X', message: 'no', since: 0, attempts: 1 });
  const error = { code: 'UNKNOWN_FIELD', message: 'no', severity: 'error' } as const;
  const text = printed({ ...awaiting, failures, diagnostics: of(error) });
  expect(text).toContain('\n  2000 more failures\n');
  expect(text).toContain('\n  2980 more errors and warnings in the manifests\n');
  const diagnostics = [...of({ ...error, severity: 'warning' as const }), error];
  expect(printed({ ...awaiting, diagnostics })).not.toMatch(/more (errors|failures)/);
});

test('more than twenty are counted', () => {
  const exposed = Array.from({ length: 23 }, (_, n) => ({ address: `HTTPSEdge/${String(n)}`, message: 'm', urls: [] }));
  expect(printed({ ...awaiting, exposures: exposed })).toContain(
    '  3 more resources that are public, but should not be\n',
  );
});

test('what status.json omits is counted', () => {
  const exposed = Array.from({ length: 1_500 }, (_, n) => ({
    address: `HTTPSEdge/${String(n)}`,
    message: 'm',
    urls: [],
  }));
  expect(printed({ ...awaiting, exposures: exposed })).toContain(
    '  1480 more resources that are public, but should not be\n',
  );
});

test.each(Object.entries(statuses))('%s has no hazard that status.json has and the text lacks', (_, status) => {
  const shown = status.pending.slice(0, 20).flatMap(({ hazards }) => hazards.map(({ code }) => `! ${code}`));
  const text = printed(status);
  expect(shown.filter((part) => !text.includes(part))).toEqual([]);
});

test('a failure of the state is not called one of the account', () => {
  const failure = { scope: 'account', message: 'is a directory', since: awaiting.now, attempts: 1 };
  const failed = (code: string): string => printed({ ...awaiting, failures: [{ ...failure, code }] });
  expect(failed('STATE_UNREADABLE')).toContain(
    '  failed: state [STATE_UNREADABLE]: is a directory; each retry fails until the cause is corrected\n',
  );
  expect(failed('API_UNREACHABLE')).toContain(
    '  failed: account [API_UNREACHABLE]: is a directory; retried automatically\n',
  );
  const paused = {
    ...awaiting,
    role: 'paused' as const,
    failures: [{ ...failure, code: 'API_UNREACHABLE', nextAttempt: 1 }],
  };
  expect(printed(paused)).toContain(': is a directory; retried automatically after the pause ends\n');
});

test('what has to end before an approval takes effect is reported as on the page', () => {
  expect(printed(awaiting)).toContain('  approved changes are applied immediately\n');
  expect(printed({ ...awaiting, role: 'paused' })).toContain('  approved changes are applied after the pause ends\n');
  const failures = [{ scope: 'account', code: 'API_UNREACHABLE', message: 'no route', since: 0, attempts: 1 }];
  expect(printed({ ...awaiting, failures })).toContain(
    '  approved changes are applied when the account can be read again\n',
  );
});

test('an error is printed with its place, its message and what to do, also where it is about the account', () => {
  const [first] = awaiting.pending;
  if (first === undefined) throw new Error('nothing waits');
  const text = printed({
    ...awaiting,
    pending: [
      { ...first, reason: 'plan-error', message: 'shop.example.com:443 is used by edghts_9 (remove it there)' },
    ],
    diagnostics: [
      {
        code: 'UNKNOWN_FIELD',
        severity: 'error',
        message: 'unknown field `hostport`',
        hint: 'did you mean `hostports`?',
        place: { file: 'manifests/web.yaml', line: 12, col: 3 },
      },
    ],
  });
  expect(text).toContain(': blocked by a planning error,');
  expect(text).toContain('\n    shop.example.com:443 is used by edghts_9 (remove it there)\n');
  expect(text).toContain(
    '\n  error[UNKNOWN_FIELD] manifests/web.yaml:12: unknown field `hostport`\n    hint: did you mean `hostports`?\n',
  );
});

test('a drift conflict has its field, both values and what to do', () => {
  expect(printed(statuses['trouble'] ?? awaiting)).toMatch(
    /\n {2}drift conflict: .*: sluice repaired `\/.*` \d+ times?, and something else changed it back each time\n {4}desired: .*\n {4}actual: .*\n {4}Find what else changes the field, or add the field to `lifecycle.ignore`/,
  );
});

test('a drift conflict about a resource that something else deletes advises nothing about a field', () => {
  const conflict = { address: 'ReservedAddr/a', pointer: '', desired: 'present', actual: 'absent', count: 3, since: 0 };
  const text = printed({ ...awaiting, driftConflicts: [conflict] });
  expect(text).toContain(
    '  drift conflict: ReservedAddr/a: sluice created the resource again 3 times, and something else deleted it each time\n    Find what else deletes the resource, or remove its manifest.',
  );
  expect(text).not.toContain('lifecycle.ignore');
});

test('a setting that takes effect at a restart alone is a failure that stays, with its place and what to do', () => {
  const failure = failureDetails(
    new InvalidInput([
      {
        code: 'RESTART_REQUIRED',
        severity: 'error',
        message: 'watch.listen changed while sluice watch is running',
        hint: 'restart sluice watch',
        place: { file: 'sluice.yaml', line: 7, col: 3 },
      },
    ]),
  );
  expect(printed({ ...awaiting, failures: [{ scope: 'manifests', ...failure, since: 0, attempts: 1 }] })).toContain(
    '  failed: manifests [RESTART_REQUIRED]: sluice.yaml:7: watch.listen changed while sluice watch is running (restart sluice watch); each retry fails until the cause is corrected',
  );
});

test('the first error in the manifests is listed once, although it is also what failed', () => {
  const message = 'unknown field `foo`';
  const place = { file: 'a.yaml', line: 4, col: 1 };
  const diagnostics = [{ code: 'UNKNOWN_FIELD' as const, severity: 'error' as const, message, place }];
  const failure = { scope: 'manifests', code: 'UNKNOWN_FIELD', message: `a.yaml:4: ${message}`, since: 1, attempts: 1 };
  expect(printed({ ...awaiting, diagnostics, failures: [failure] }).split(message)).toHaveLength(2);
  expect(printed({ ...awaiting, failures: [failure] })).toContain('  failed: manifests [UNKNOWN_FIELD]: ');
});
