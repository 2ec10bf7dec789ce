import { isIP } from 'node:net';
import { UsageError } from '../../stack/usage-error.ts';
import { operatorFile } from '../operator-file.ts';
import type { PageApprovals } from '../status/approve-over-http.ts';
import { pageToken } from '../status/page-token.ts';

/** The flags that enable approvals on the status page. */
export interface PageApprovalFlags {
  /** A file with the token of whoever may approve on the status page; without one, nobody may. */
  readonly approvalTokenFile?: string;
  /** The header in which a trusted proxy names who approves. */
  readonly approvalUserHeader?: string;
  /** The IP address of that proxy. */
  readonly approvalProxy?: string;
}

/** Who may approve on the status page, as the operator has configured; undefined: nobody. */
export function pageApprovals(
  { approvalTokenFile: path, approvalUserHeader: header, approvalProxy: proxy }: PageApprovalFlags,
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
