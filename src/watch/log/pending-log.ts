import type { Plan } from '../../model/plan/plan.ts';
import { placeText } from '../../diagnostics/diagnostic.ts';
import type { PendingChange } from '../../model/status/watch-status.ts';
import { pendingText } from '../../render/status/pending-words.ts';
import type { Ports } from '../ports.ts';

/** Logs changes that have just become pending: where each is in the manifests, and the values of its fields. */
export function logPending(log: Ports['log'], pending: readonly PendingChange[], { changes }: Plan): void {
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
