import { BlockList, isIP } from 'node:net';
import * as z from 'zod';
import { keptText, mostKept } from '../kept-text.ts';
import { StateError } from '../../diagnostics/errors.ts';
import { safeText } from '../../diagnostics/safe-text.ts';
import { isMovedAway } from '../../state/moved-away.ts';
import { isPlanDigest } from '../../model/plan/is-plan-digest.ts';
import type { ApprovalRecord, WatchStatus } from '../../model/status/watch-status.ts';
import { textReply } from './reply.ts';
import type { RequireToken } from './page-token.ts';
import type { AnswerPost, PostedRequest } from './posted-request.ts';
import { parsedJson } from '../../model/json-object.ts';

/** Who may approve on the status page; the operator decides it, never a repository. */
export interface PageApprovals {
  /** A file with the token. */
  readonly tokenFile: string;
  /** The header in which a trusted proxy names the person, and the address of that proxy. */
  readonly identity?: { readonly header: string; readonly proxy: string };
}

/** Options of approving over HTTP. */
export interface ApproveOverHttpOptions extends Pick<PageApprovals, 'identity'> {
  readonly requireToken: RequireToken;
  /** What requires approval now, and who takes approvals while this process is on standby. */
  readonly latest: () => Pick<WatchStatus, 'role' | 'awaited' | 'leader' | 'leaderUrl'> | undefined;
  /** Throws where the state was moved away: nobody reads an approval beside it. */
  readonly mustBeHere: () => Promise<void>;
  readonly record: (approval: ApprovalRecord) => Promise<void>;
  /** Receives why a request was refused for its token. */
  readonly onRefused: (reason: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const body = z.strictObject({
  digest: z.string().refine(isPlanDigest),
  reason: z.string().max(mostKept.reason).optional(),
});

/** Approves the changes that are pending, for whoever sends the token in the Authorization header. */
export function approveOverHttp(options: ApproveOverHttpOptions): AnswerPost {
  const { requireToken, latest, mustBeHere, record, onRefused, now } = options;
  return async (request) => {
    const refused = requireToken(request, onRefused);
    if (refused !== undefined) return refused;
    const asked = body.safeParse(parsedJson(request.text)).data;
    if (asked === undefined) return textReply(400, 'the body must be {"digest": "sha256:…", "reason": "…"}');
    const { digest, reason } = asked;
    const status = latest();
    if (status?.role === 'standby') return textReply(503, `nothing was approved: ${standbyText(status)}`);
    const moved = await mustBeHere().catch(whyNotHere);
    if (moved !== undefined) return textReply(503, `nothing was approved: ${moved}`);
    if (digest !== latest()?.awaited?.digest)
      return textReply(409, 'the digest does not match the changes that require approval; nothing was approved');
    const by = approver(options, request);
    if (by === undefined)
      return textReply(
        400,
        'the header that names the user (--approval-user-header) must appear only once in the request',
      );
    const note = reason === undefined ? {} : { reason: keptText(reason, mostKept.reason) };
    const unrecorded = await record({ digest, by, at: now(), ...note }).catch(whyNotHere);
    if (unrecorded !== undefined) return textReply(503, `nothing was approved: ${unrecorded}`);
    return textReply(202, 'approved');
  };
}

/** Why nothing can be recorded where the state is: it was moved away, or it cannot be read, or what is there may contain a pause. */
function whyNotHere(error: unknown): string {
  const isUnreadable = error instanceof StateError && unreadable.has(error.code);
  if (!isUnreadable && !isMovedAway(error)) throw error;
  return `${error.message}; ${error.hint ?? ''}`;
}

const unreadable: ReadonlySet<string> = new Set(['OPERATOR_REQUESTS_UNREADABLE', 'WATCH_STATE_UNREADABLE']);

function standbyText({ leader, leaderUrl: url }: Pick<WatchStatus, 'leader' | 'leaderUrl'>): string {
  if (leader === undefined) return 'this process is on standby, and the leader is unknown; try again in a minute';
  const where = url === undefined ? '' : `; approve the changes at ${safeText(url, 300)}`;
  return `this process is on standby, and the leader is ${safeText(leader, 200)}${where}`;
}

/** The person that the trusted proxy names; else only that somebody had the token. Undefined: it names several. */
function approver({ identity }: Pick<PageApprovals, 'identity'>, { headers, from }: PostedRequest): string | undefined {
  const names = identity === undefined ? [] : (headers[identity.header.toLowerCase()] ?? []);
  const isTrusted = identity !== undefined && from !== undefined && isSameAddress(from, identity.proxy);
  const [name = '', ...others] = isTrusted ? names.map((one) => one.trim()) : [];
  if (others.length > 0) return undefined;
  return name === '' ? 'user with the approval token' : keptText(name, mostKept.name);
}

/** A server of both families reports IPv4 addresses in the form of IPv6. */
function isSameAddress(from: string, proxy: string): boolean {
  const trusted = new BlockList();
  trusted.addAddress(proxy, isIP(proxy) === 4 ? 'ipv4' : 'ipv6');
  return trusted.check(from, isIP(from) === 4 ? 'ipv4' : 'ipv6');
}
