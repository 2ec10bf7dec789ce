import { counted } from '../diagnostics/counted.ts';
import { placeText } from '../diagnostics/diagnostic.ts';
import type { Plan } from '../model/plan/plan.ts';
import type { DesiredStack } from '../model/resource.ts';
import type {
  ApprovalWay,
  KeptVersions,
  PendingChange,
  Revision,
  WatchRole,
  WatchStatus,
} from '../model/status/watch-status.ts';
import { listSome } from '../plan/warnings/list-some.ts';
import { invalidManifestsText } from '../render/status/failure-words.ts';
import { pendingText } from '../render/status/pending-words.ts';
import type { Ports } from './ports.ts';

type Log = Ports['log'];

const mostNames = 50;

/** Logs the role of this process: of a standby, with its leader. */
export function logRole(log: Log, role: WatchRole, leader: string | undefined): void {
  log('info', 'role', role === 'standby' && leader !== undefined ? `standby: the leader is ${leader}` : role);
}

/** Logs that an operator has paused the watch, until when and why. */
export function logPause(log: Log, { until, reason, by }: NonNullable<WatchStatus['pause']>): void {
  const end = until === undefined ? 'it is resumed' : new Date(until).toISOString();
  const message = `paused until ${end}${reason === undefined ? '' : `: ${reason}`}`;
  log('info', 'paused', message, by === undefined ? {} : { by });
}

/** Logs that a new revision was read, every error in its manifests, and what stays as it was because of them. */
export function logManifests(
  log: Log,
  { resources, diagnostics }: DesiredStack,
  revision: Revision,
  kept: KeptVersions | undefined,
): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const how = errors.length === 0 ? '' : ` with ${counted(errors.length, 'error')}`;
  log('info', 'revision', `manifests loaded${how}: ${counted(resources.length, 'resource')}`, { ...revision });
  for (const { code, message, place, hint } of errors)
    log('error', 'manifest', message, {
      code,
      ...(place === undefined ? {} : { place: `${placeText(place)}:${place.col}` }),
      ...(hint === undefined ? {} : { hint }),
    });
  if (kept === undefined) return;
  log('warn', 'kept', invalidManifestsText(kept), {
    files: listSome(kept.files, mostNames),
    resources: listSome(kept.addresses, mostNames),
  });
}

/** Logs changes that have just become pending: where each is in the manifests, and the values of its fields. */
export function logPending(log: Log, pending: readonly PendingChange[], { changes }: Plan): void {
  const places = new Map(changes.map(({ address, place }) => [address, place]));
  for (const one of pending) {
    const { address, action, message, fields } = one;
    const place = places.get(address);
    log('info', 'pending', `${address} ${pendingText(one)}${message === '' ? '' : `: ${message}`}`, {
      address,
      action,
      ...(place === undefined ? {} : { place: placeText(place) }),
      ...(fields.length === 0
        ? {}
        : { fields: fields.map(({ pointer, desired, actual }) => `${pointer}: ${actual} -> ${desired}`).join(', ') }),
    });
  }
}

/** Logs that changes require approval, with every way to approve them that is enabled. */
export function logAwaited({ log, approvalWays }: Pick<Ports, 'log' | 'approvalWays'>, digest: string): void {
  const ways = [`run \`sluice approve ${digest}\``, ...approvalWays.map((way) => furtherWays[way])];
  log('warn', 'approval', `changes require approval: ${ways.join(', or ')}`, { digest });
}

const furtherWays: Readonly<Record<ApprovalWay, string>> = {
  page: 'approve the changes on the status page',
  commit: 'push a commit that an allowed signer signed, with the digest in the trailer Sluice-Approve',
};
