import { safeText } from '../../diagnostics/safe-text.ts';
import type { FleetStack, FleetStatus } from '../../model/status/fleet-status.ts';
import { fleetJson } from '../../render/status/fleet/fleet-json.ts';
import { fleetPage } from '../../render/status/fleet/fleet-page.ts';
import { stackUrl } from '../../render/status/stack-url.ts';
import { jsonText } from '../../render/text/json-text.ts';
import type { Metric } from '../status/exposition.ts';
import { byPath, type HttpRepliesOptions, type ReplyTo } from '../status/http-replies.ts';
import { metricsText } from '../status/metrics.ts';
import { probeReply } from '../status/health.ts';
import { textReply } from '../status/reply.ts';
import { jsonReply, metricsReply, pageReply, sharedReplies } from '../status/shared-replies.ts';
import { fleetGauges } from './fleet-gauges.ts';
import { whyFleetNotLive, whyFleetNotReady } from './fleet-health.ts';
import type { FleetMember } from './fleet-member.ts';

/** What the server of a fleet answers about. */
export interface ServedFleet {
  readonly fleet: () => FleetStatus;
  /** By path. */
  readonly members: ReadonlyMap<string, FleetMember>;
  /** The clock of deadlines, in milliseconds. */
  readonly now: () => number;
  /** The gauges of the process. */
  readonly ofProcess: () => readonly Metric[];
}

/** The page of a fleet, its JSON, metrics and probes, and the pages of its stacks below `/stacks/`. */
export function fleetReplies(served: ServedFleet): HttpRepliesOptions['find'] {
  const { fleet, members } = served;
  const own = byPath(
    sharedReplies({
      '/': (search) => pageReply(fleetPage(fleet(), search)),
      '/status.json': (search) => jsonReply(jsonText(fleetJson(fleet(), search))),
      '/metrics': () => metricsReply(fleetMetrics(served)),
    }),
  );
  const probes = fleetProbes(served);
  return (path) => own(path) ?? probes(path) ?? stackReply(path, members);
}

/** The probes of a fleet. */
export function fleetProbes({ fleet, now }: Pick<ServedFleet, 'fleet' | 'now'>): HttpRepliesOptions['find'] {
  return byPath({
    '/healthz': () => probeReply(whyFleetNotLive(fleet(), now())),
    '/readyz': () => probeReply(whyFleetNotReady(fleet(), now())),
  });
}

/** What answers POST below `/stacks/`. */
export function fleetPosts(
  { members }: Pick<ServedFleet, 'members'>,
  isApprovedOnPage: boolean,
): NonNullable<HttpRepliesOptions['findPost']> {
  return (path) => {
    const { stack, part } = stackPart(path, members);
    if (stack === undefined) return undefined;
    const own = stack.findPost(part);
    if (own !== undefined || !isApprovedOnPage || part !== '/approve' || stack.stack().status !== undefined) return own;
    return () =>
      Promise.resolve(textReply(503, `nothing was approved: ${whyNotHere(stack.stack(), 'approve the changes at')}`));
  };
}

/** A part of a stack's own page, such as `/stacks/team/shop/status.json`. */
function stackReply(path: string, members: ServedFleet['members']): ReplyTo | undefined {
  const { stack, part } = stackPart(path, members);
  if (stack === undefined) return undefined;
  const own = stack.stack();
  if (own.status !== undefined) return stack.find(part);
  return () => textReply(503, whyNotHere(own, 'the status page of the stack is'));
}

/** Why a replica has no status of a stack, and what to do. */
function whyNotHere({ path, failure, elsewhere }: FleetStack, there: string): string {
  if (failure !== undefined) return `${failure.code}: ${failure.message}`;
  if (elsewhere === undefined) return 'the stack is being started; try again in a few seconds';
  const { replica, url } = elsewhere;
  if (replica === undefined) return 'no replica watches the stack yet; try again in a minute';
  const where = url === undefined ? '' : `; ${there} ${safeText(new URL(stackUrl(path), url).href, 300)}`;
  return `the stack is watched by replica ${safeText(replica, 200)}${where}`;
}

/** The stack that a path names, and the path on its own page. */
function stackPart(
  path: string,
  members: ServedFleet['members'],
): { readonly stack: FleetMember | undefined; readonly part: string } {
  const [, encoded, part = ''] = /^\/stacks\/((?:[^/]+\/)*)([^/]*)$/.exec(path) ?? [];
  const stack = encoded === undefined ? undefined : members.get(decoded(encoded.replace(/\/$/, '')) || '.');
  return { stack, part: `/${part}` };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function fleetMetrics({ fleet, members, ofProcess }: ServedFleet): string {
  const ofStacks = [...members.values()].flatMap((member) => {
    const { path, status } = member.stack();
    const metrics = member.reporting()?.metrics;
    if (status === undefined || metrics === undefined) return [];
    return [[{ stack: status.stack.name, path }, metrics.of(status)] as const];
  });
  return metricsText([...ofStacks, [{}, [...fleetGauges(fleet()), ...ofProcess()]]]);
}
