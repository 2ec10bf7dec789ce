import type { ApprovalWay } from '../../model/status/watch-status.ts';
import type { Ports } from '../ports.ts';

/** Logs that changes require approval, with every way to approve them that is enabled. */
export function logAwaited({ log, approvalWays }: Ports, digest: string): void {
  const ways = [`run \`sluice approve ${digest}\``, ...approvalWays.map((way) => furtherWays[way])];
  log('warn', 'approval', `changes require approval: ${ways.join(', or ')}`, { digest });
}

const furtherWays: Readonly<Record<ApprovalWay, string>> = {
  page: 'approve the changes on the status page',
  commit: 'push a commit that an allowed signer signed, with the digest in the trailer Sluice-Approve',
};
