import { isIP } from 'node:net';
import { wallClock } from '../api/clock.ts';
import type { ApprovalRecord } from '../model/status/watch-status.ts';
import type { StackContext } from '../stack/stack-context.ts';
import { UsageError } from '../stack/usage-error.ts';
import type { Backend } from '../state/backend.ts';
import type { ControlRequests } from './control/control-requests.ts';
import { operatorFile } from './operator-file.ts';
import { recordApproval } from './operator-requests.ts';
import type { Ports } from './ports.ts';
import { signedCommits } from './source/signed-commits.ts';
import type { StackReporting } from './stack-reporting.ts';
import { approveOverHttp, type PageApprovals } from './status/approve-over-http.ts';
import { byPath, type HttpRepliesOptions } from './status/http-replies.ts';
import { pageToken, requireToken } from './status/page-token.ts';

/** The flags that enable approvals, beside `sluice approve`. */
export interface WatchApprovalFlags {
  /** A file with the token of whoever may approve on the status page; without one, nobody may. */
  readonly approvalTokenFile?: string;
  /** The header in which a trusted proxy names who approves. */
  readonly approvalUserHeader?: string;
  /** The IP address of that proxy. */
  readonly approvalProxy?: string;
  /** A file of allowed signers, whose signed commits approve; without one, no commit does. */
  readonly approvalKeys?: string;
}

/** How one stack takes approvals, beside `sluice approve`. */
export interface StackApprovals {
  /** What its loop must know. */
  readonly taken: Pick<Ports, 'approvalWays' | 'approvingCommits'>;
  /** What answers POST on its page. */
  readonly posts: (
    backend: Pick<Backend, 'document' | 'mustBeHere'>,
    control: Pick<ControlRequests, 'wake'>,
    reporting: Pick<StackReporting, 'latest'>,
  ) => NonNullable<HttpRepliesOptions['findPost']>;
}

/** Takes approvals of a stack; throws where that cannot be done. */
export type TakeApprovals = (stackDir: string, log: Ports['log']) => StackApprovals;

/** Accepts approvals for the stacks in a directory according to the flags of their process. A commit to that directory cannot change the files that the flags name. */
export function takeApprovals(
  context: StackContext,
  flags: WatchApprovalFlags,
  { dir, isServed }: { readonly dir: string; readonly isServed: boolean },
): TakeApprovals {
  const { cwd, now = Date.now, clock = wallClock } = context.io;
  const { approvalKeys: keys } = flags;
  const onPage = pageApprovals(flags, { cwd, dir });
  if (onPage !== undefined && !isServed)
    throw new UsageError('--approval-token-file requires the status page', 'omit --no-listen');
  const page = onPage && { ...onPage, requireToken: requireToken(onPage.tokenFile, clock.now), now };
  const commitsOf = keys === undefined ? undefined : signedCommits(context, { dir, keys });
  return (stackDir, log) => {
    const onRefused = (why: string): void => log('warn', 'approval-refused', why);
    const approvingCommits = commitsOf?.(stackDir, onRefused);
    return {
      taken: {
        approvalWays: [
          ...(page === undefined ? [] : ['page' as const]),
          ...(approvingCommits === undefined ? [] : ['commit' as const]),
        ],
        approvingCommits: approvingCommits ?? (() => Promise.resolve([])),
      },
      posts: (backend, control, { latest }) => {
        if (page === undefined) return byPath({});
        const record = async (approval: ApprovalRecord): Promise<void> => {
          await recordApproval(backend, approval);
          control.wake();
        };
        const { mustBeHere } = backend;
        return byPath({ '/approve': approveOverHttp({ ...page, latest, mustBeHere, record, onRefused }) });
      },
    };
  };
}

/** Who may approve on the status page, as the operator has configured; undefined: nobody. */
export function pageApprovals(
  { approvalTokenFile: path, approvalUserHeader: header, approvalProxy: proxy }: WatchApprovalFlags,
  at: { readonly cwd: string; readonly dir: string },
): PageApprovals | undefined {
  if ((header === undefined) !== (proxy === undefined))
    throw new UsageError(
      '--approval-user-header and --approval-proxy require each other',
      'pass both flags, or neither of them',
    );
  if (path === undefined) {
    if (header === undefined) return undefined;
    throw new UsageError('--approval-user-header requires --approval-token-file');
  }
  if (header !== undefined && !/^[A-Za-z0-9-]+$/.test(header))
    throw new UsageError('--approval-user-header must be the name of a header, such as X-Forwarded-User');
  if (proxy !== undefined && isIP(proxy) === 0)
    throw new UsageError('--approval-proxy must be an IP address, such as 127.0.0.1');
  const flag = '--approval-token-file';
  const tokenFile = operatorFile({ flag, path, access: 'read' }, at);
  const token = pageToken(tokenFile);
  if ('message' in token)
    throw new UsageError(`${flag}: ${tokenFile} ${token.message}`, 'create a token with `openssl rand -hex 32`');
  return { tokenFile, ...(header === undefined || proxy === undefined ? {} : { identity: { header, proxy } }) };
}
