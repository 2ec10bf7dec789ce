import { expect, test } from 'vitest';
import type { ApprovalWay } from '../../../src/model/status/watch-status.ts';
import { logAwaited } from '../../../src/watch/log-lines.ts';
import type { Ports } from '../../../src/watch/ports.ts';

test.each<[readonly ApprovalWay[], string]>([
  [[], 'run `sluice approve sha256:1`'],
  [['page'], 'run `sluice approve sha256:1`, or approve the changes on the status page'],
  [
    ['page', 'commit'],
    'run `sluice approve sha256:1`, or approve the changes on the status page, or push a commit that an allowed signer signed, with the digest in the trailer Sluice-Approve',
  ],
])('changes that require approval are a line with every way to approve them: %j', (approvalWays, ways) => {
  const logged: unknown[] = [];
  const log: Ports['log'] = (...line) => void logged.push(line);
  logAwaited({ log, approvalWays }, 'sha256:1');
  expect(logged).toEqual([['warn', 'approval', `changes require approval: ${ways}`, { digest: 'sha256:1' }]]);
});
